"""Things of which a project usually has one of a kind: one database, one linter, one host.

Two decisions for two things of one kind are about one subject, even where they share no word.
"""

from __future__ import annotations

import re
from functools import cache

# kind: things; a thing of several words is written with dashes, `=` gives another spelling
_KINDS = """
relational database: postgresql=postgres mysql mariadb sqlite oracle sql-server=mssql cockroachdb
    db2 aurora mongodb=mongo dynamodb couchdb cassandra cosmosdb=cosmos-db firestore rethinkdb
    neo4j
cache: redis memcached hazelcast valkey
search engine: elasticsearch=elastic-search opensearch solr algolia meilisearch typesense sphinx
message broker: kafka rabbitmq activemq sqs pulsar nats zeromq kinesis azure-service-bus
    google-pubsub=pubsub=pub-sub eventbridge mqtt
continuous integration: jenkins travis=travis-ci circleci=circle-ci github-actions gitlab-ci
    concourse teamcity buildkite drone azure-pipelines bitbucket-pipelines codebuild tekton bamboo
hosting: heroku aws=amazon-web-services azure gcp=google-cloud digitalocean govuk-paas=gov.uk-paas
    cloud-foundry netlify vercel fly.io openshift cloud-platform
orchestration: kubernetes=k8s docker-swarm=swarm nomad ecs fargate mesos
infrastructure as code: terraform cloudformation pulumi ansible chef puppet saltstack cdk bicep
frontend framework: react angular=angularjs vue=vue.js=vuejs svelte=sveltekit ember preact solidjs
    backbone elm lit htmx stimulus
web framework: rails=ruby-on-rails django flask fastapi express=expressjs nestjs spring=spring-boot
    laravel symfony sinatra phoenix gin echo next.js=nextjs remix nuxt gatsby asp.net play ktor
    quarkus micronaut
bundler: webpack vite rollup parcel esbuild snowpack turbopack browserify gulp grunt sprockets
    webpacker
package manager: npm yarn pnpm bun
build tool: maven gradle ant bazel sbt make buck
unit test framework: jest mocha vitest jasmine ava junit testng spock rspec minitest pytest
    unittest nose xunit nunit mstest phpunit
browser test framework: cypress playwright selenium testcafe puppeteer nightwatch webdriverio
    capybara testcontainers
linter: eslint tslint rubocop=rubocop-govuk standardrb=standard.rb standardjs pylint flake8 ruff
    checkstyle sonarqube biome prettier stylelint
style sheets: sass=scss less tailwind=tailwindcss bootstrap styled-components emotion css-modules
    postcss bulma material-ui=mui
state management: redux mobx recoil zustand vuex pinia ngrx
api style: rest=restful graphql grpc soap trpc json-rpc odata thrift
serialisation: json xml protobuf=protocol-buffers avro yaml msgpack=messagepack toml amino
authentication: auth0 okta keycloak cognito devise omniauth firebase-auth azure-ad=entra cas saml
    oauth=oauth2 jwt ldap basic-auth passport magic-links
logging: log4j logback slf4j winston pino zap zerolog logrus serilog
log storage: splunk elk kibana=logstash loki papertrail cloudwatch sumologic graylog logit
monitoring: prometheus datadog newrelic=new-relic grafana nagios zabbix skylight dynatrace
    appsignal icinga scout appinsights=application-insights
error tracking: sentry rollbar bugsnag airbrake honeybadger raygun
tracing: jaeger zipkin opentelemetry opentracing
feature flags: launchdarkly unleash flipper split.io flagsmith rollout
language: python java kotlin go=golang rust typescript javascript ruby php c# scala elixir clojure
    swift dart haskell perl groovy
orm: hibernate sqlalchemy prisma typeorm sequelize knex drizzle dapper activerecord=active-record
    jooq mybatis gorm doctrine entity-framework
background jobs: sidekiq resque delayed-job celery rq hangfire quartz bullmq=bull que good-job
    solid-queue active-job
web server: nginx apache caddy traefik haproxy envoy puma unicorn passenger gunicorn uwsgi tomcat
    jetty undertow
container engine: docker podman containerd rkt vagrant
version control: git subversion=svn mercurial
source hosting: github gitlab bitbucket gitea
secrets: vault doppler secrets-manager=aws-secrets-manager parameter-store=ssm sops 1password
    git-crypt
email: sendgrid mailgun ses postmark notify=govuk-notify=gov.uk-notify mailchimp mandrill
payments: stripe adyen braintree paypal gocardless worldpay
documentation: mkdocs sphinx-docs docusaurus gitbook jekyll hugo confluence antora swagger=openapi
    raml asciidoc
analytics: google-analytics matomo=piwik plausible mixpanel amplitude segment
data orchestration: airflow luigi prefect dagster step-functions nifi
identifiers: uuid ulid snowflake
architecture style: monolith microservices=microservice serverless modular-monolith
"""

_WORD = re.compile(r"[a-z0-9][a-z0-9.+#]*")


@cache
def _table() -> dict[str, tuple[str, str]]:
    """Each spelling with its usual name and its kind."""
    table: dict[str, tuple[str, str]] = {}
    for line in _KINDS.strip().replace("\n    ", " ").splitlines():
        kind, _, things = line.partition(":")
        for thing in things.split():
            name, *others = thing.split("=")
            for spelling in (name, *others):
                table[spelling] = (name, kind)
    return table


@cache
def _first_words() -> frozenset[str]:
    """With what a spelling begins: nearly all words of a text are none of these."""
    return frozenset(spelling.split("-", 1)[0] for spelling in _table())


def technologies_in(text: str) -> dict[str, str]:
    """The known things that a text names, by their usual names, each with its kind."""
    table, first_words = _table(), _first_words()
    found: dict[str, str] = {}
    words = [word.rstrip(".") for word in _WORD.findall(text.casefold())]
    for at, word in enumerate(words):
        if word not in first_words:
            continue
        for length in (3, 2, 1):
            known = table.get("-".join(words[at : at + length]))
            if known and len(words[at : at + length]) == length:
                found.setdefault(*known)
                break
    return found
