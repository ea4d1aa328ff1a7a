"""Things of which a project usually has one of a kind: one database, one linter, one host.

Two decisions for two things of one kind are about one subject, even where they share no word.
"""

from __future__ import annotations

import re
from functools import cache

from toolcrib.packs.architecture.alignment.things.kinds import EVERYDAY, KINDS
from toolcrib.packs.architecture.alignment.wording.words import DENIED, GO

# Those that are verbs have a capital, too, where they begin a sentence.
_VERBS = frozenset(
    """make render notify play rush express segment relay treat pop fetch echo tap wire
    rest""".split()  # noqa: SIM905
)
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+#_]*")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_LONGEST = 3
_SHORT = 4


@cache
def _table() -> dict[str, tuple[str, str]]:
    """Each spelling with its usual name and its kind."""
    table: dict[str, tuple[str, str]] = {}
    for line in KINDS.strip().replace("\n    ", " ").splitlines():
        kind, _, things = line.partition(":")
        for thing in things.split():
            name, *others = thing.split("=")
            for spelling in (name, *others):
                table.setdefault(spelling, (name, kind))
    return table


@cache
def _first_words() -> frozenset[str]:
    """With what a spelling begins: nearly all words of a text are none of these."""
    return frozenset(spelling.split("-", 1)[0] for spelling in _table())


def is_technology(word: str) -> bool:
    """Whether a single word, as it is written, is the name of a known thing."""
    low = word.casefold()
    return low in _table() and (low not in EVERYDAY or _is_capital(word))


def _is_capital(word: str) -> bool:
    """Whether a word has the capital of a name; a longer one in capitals only is an acronym."""
    return word != word.casefold() and (len(word) <= _SHORT or word != word.upper())


def technologies_in(text: str) -> dict[str, str]:
    """The known things that a text names, by their usual names, each with its kind."""
    table, first_words = _table(), _first_words()
    found: dict[str, str] = {}
    words = [word.rstrip("._") for word in _WORD.findall(GO.sub("golang", DENIED.sub(" ", text)))]
    low = [word.casefold() for word in words]
    until = 0
    for at, word in enumerate(low):
        if at < until or (word not in first_words and not word.endswith("js")):
            continue
        for length in range(_LONGEST, 0, -1):
            spelling = "-".join(low[at : at + length])
            known = table.get(spelling) or table.get(_without_js(spelling))
            if length == 1 and (parts := _HUMP.sub("-", words[at])) != words[at]:
                known = table.get(parts.casefold()) or known  # PaperTrail is not Papertrail
            if known is None or len(low) < at + length:
                continue
            if spelling not in EVERYDAY or (_is_capital(words[at]) and (at or word not in _VERBS)):
                found.setdefault(*known)
                until = at + length
            break
    return found


def _without_js(spelling: str) -> str:
    """The name of a library without what some add to it: QuillJS, Quill.js."""
    return spelling.removesuffix("js").removesuffix(".")


# Of these a project often has several: another one is a rival only where the purpose is the same.
SEVERAL = frozenset(
    """language shell serialisation api-style auth-protocol file-storage documentation-format
    template-engine orchestration base-image cloud web-server cache logging-library letter-case
    compression load-balancer language-model log-shipping""".split()  # noqa: SIM905
)


# Of one family are kinds whose things do the same work: who takes the one needs not the other.
_FAMILIES = {"platform as a service": "orchestration"}


# Things that belong to one language: those of two languages are no rivals by their kind alone.
_ECOSYSTEMS = """
javascript: npm yarn pnpm bun express nestjs next.js remix nuxt gatsby astro koa hapi fastify
    adonisjs sveltekit meteor redwood hono jest mocha vitest jasmine ava qunit chai tape karma
    eslint tslint standardjs biome oxlint prettier flow sinon msw nock mirage sequelize prisma
    typeorm knex drizzle mikro-orm objection.js mongoose kysely yup zod joi ajv superstruct
    valibot class-validator io-ts runtypes typebox winston pino bunyan bullmq moment date-fns
    luxon dayjs axios superagent passport commander yargs oclif inversify tsyringe i18next
    formatjs multer husky node-cron
python: pip poetry pipenv conda uv pdm hatch setuptools django flask fastapi tornado sanic
    starlette litestar pytest unittest nose pylint flake8 ruff black yapf autopep8 mypy pyright
    pyre sqlalchemy alembic pydantic marshmallow cerberus celery rq dramatiq huey structlog
    loguru httpx aiohttp jinja click typer argparse peewee django-orm gunicorn uwsgi uvicorn
ruby: rails sinatra hanami padrino roda grape rspec minitest rubocop standardrb sidekiq resque
    delayed-job good-job que solid-queue devise omniauth pundit cancancan action-policy
    activerecord shrine carrierwave paperclip active-storage faraday httparty vcr webmock
    lograge paper-trail audited kaminari pagy will-paginate factory-bot puma unicorn passenger
    capybara brakeman erb haml slim whenever aasm statesman overcommit simplecov sorbet thor
jvm: spring play ktor quarkus micronaut grails dropwizard javalin junit testng spock kotest
    mockito easymock checkstyle pmd spotbugs detekt ktlint google-java-format hibernate jooq
    mybatis maven gradle ant sbt log4j log4j2 logback slf4j guice dagger koin quartz flyway
    liquibase tomcat jetty undertow picocli okhttp jacoco thymeleaf mapstruct wiremock joda
golang: gin echo fiber chi gorilla httprouter buffalo testify ginkgo golangci-lint golint gofmt
    gorm sqlx sqlc ent pop squirrel zap zerolog logrus slog glog cobra goose golang-migrate
    asynq gomock mage wire goreleaser
dotnet: asp.net xunit nunit mstest moq nsubstitute fakeiteasy dapper entity-framework nhibernate
    serilog nlog autofac ninject unity hangfire fluentvalidation blazor signalr automapper
    mediatr
php: laravel symfony phpunit pest phpstan psalm doctrine twig yii cakephp codeigniter monolog
rust: actix axum rocket clippy rustfmt diesel seaorm clap nextest
"""


@cache
def _ecosystems() -> dict[str, str]:
    found: dict[str, str] = {}
    for line in _ECOSYSTEMS.strip().replace("\n    ", " ").splitlines():
        language, _, things = line.partition(":")
        found.update(dict.fromkeys(things.split(), language))
    return found


def of_other_languages(one: str, two: str) -> bool:
    """Whether two things belong to two languages."""
    first, second = _ecosystems().get(one), _ecosystems().get(two)
    return bool(first and second and first != second)


def family(kind: str) -> str:
    """The kind by which things are compared."""
    return _FAMILIES.get(kind, kind)


def often_several(kind: str) -> bool:
    """Whether a project often has several things of the kind."""
    return kind.replace(" ", "-") in SEVERAL


@cache
def words_of(name: str) -> frozenset[str]:
    """All words with which a known thing may be spelt."""
    return frozenset(
        part
        for spelling, (known, _) in _table().items()
        if known == name
        for part in spelling.split("-")
    )


def spellings(name: str, text: str) -> set[str]:
    """The words of a text that name a known thing."""
    words = (word.strip(".,;:()").casefold() for word in text.replace("/", " ").split())
    parts = {part for word in words for part in (word, *word.split("-"))}
    found = {part for part in parts if name in technologies_in(part.title())}
    return found | (parts & set(name.split("-"))) | ({name} if name == "golang" else set())
