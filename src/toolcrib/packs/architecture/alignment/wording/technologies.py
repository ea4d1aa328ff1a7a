"""Things of which a project usually has one of a kind: one database, one linter, one host.

Two decisions for two things of one kind are about one subject, even where they share no word.
"""

from __future__ import annotations

import re
from functools import cache

from toolcrib.packs.architecture.alignment.wording.words import DENIED, GO

# kind: things; a thing of several words is written with dashes, `=` gives another spelling
_KINDS = """
language: python java kotlin golang rust typescript javascript ruby php c# c++ scala elixir
    erlang clojure swift dart haskell perl groovy f# lua ocaml zig
shell: bash zsh powershell fish
javascript runtime: node=nodejs=node.js deno
frontend framework: react angular=angularjs vue=vue.js=vuejs svelte=sveltekit ember preact
    solidjs backbone elm lit htmx stimulus alpine=alpinejs jquery knockout qwik
web framework: rails=ruby-on-rails django flask fastapi express=expressjs=express.js nestjs
    spring=spring-boot laravel symfony sinatra phoenix gin echo fiber next.js=nextjs remix
    nuxt=nuxt.js gatsby=gatsbyjs astro asp.net play ktor quarkus micronaut koa hapi fastify
    buffalo tornado sanic starlette goji hanami padrino litestar bottle cherrypy pyramid
    django-rest-framework=drf actix axum rocket vapor spring-webflux vert.x=vertx adonisjs
static site: jekyll hugo eleventy=11ty docusaurus mkdocs gitbook antora vuepress vitepress
    middleman sphinx-docs zola pelican hexo nextra starlight
mobile framework: react-native flutter ionic xamarin cordova capacitor maui
desktop framework: electron tauri wpf qt
bundler: webpack vite rollup parcel esbuild snowpack turbopack browserify gulp grunt sprockets
    webpacker rspack swc
package manager: npm yarn pnpm bun
python packaging: pip poetry pipenv conda uv pdm hatch setuptools
version manager: asdf nodenv nvm rbenv rvm pyenv volta fnm mise goenv sdkman nix
router: gorilla=mux chi httprouter
monorepo tool: lerna nx turborepo rush bazel pants
build tool: maven gradle ant sbt make=makefile buck cmake rake mage just
unit test framework: jest mocha vitest jasmine ava qunit junit testng spock rspec minitest
    pytest unittest nose xunit nunit mstest phpunit pest bats shunit2 testify ginkgo hspec
    kotest tap chai catch2 googletest=gtest=google-test tape karma
browser test framework: cypress playwright selenium testcafe puppeteer nightwatch=nightwatch.js
    webdriverio capybara protractor watir
mocking: sinon mockito easymock testdouble vcr webmock msw nock wiremock mockery gomock
    nsubstitute moq fakeiteasy mountebank mirage=miragejs
load testing: k6 jmeter gatling locust artillery vegeta wrk
visual testing: backstopjs percy chromatic applitools happo
linter: eslint tslint rubocop=rubocop-govuk standardrb=standard.rb=standard-rb standardjs pylint
    flake8
    ruff checkstyle sonarqube=sonarcloud biome stylelint golangci-lint=golangci golint oxlint pmd
    spotbugs phpstan psalm
formatter: prettier black gofmt yapf autopep8 clang-format google-java-format dprint
type checker: mypy pyright flow pyre sorbet
style sheets: sass=scss less tailwind=tailwindcss bootstrap styled-components emotion
    css-modules postcss bulma material-ui=mui treat vanilla-extract linaria stitches foundation
    chakra=chakra-ui stylus css-in-js unocss
design system: uswds govuk-frontend carbon polaris primer ant-design=antd
state management: redux mobx recoil zustand vuex pinia ngrx xstate jotai effector
form library: formik react-hook-form=react-hook-forms redux-form
    final-form=react-final-form=react-jsonschema-form vee-validate
validation: yup zod joi ajv superstruct pydantic marshmallow cerberus fluentvalidation
rich text editor: tiptap quill slate draftjs=draft.js ckeditor tinymce prosemirror lexical
    toastui=toast-ui trix froala
charting: d3 chart.js=chartjs highcharts recharts plotly vega victory echarts nivo
date library: moment=momentjs=moment.js date-fns luxon dayjs=day.js joda
http client: axios fetch superagent got node-fetch httpx aiohttp okhttp faraday httparty
graphql library: apollo relay urql gqlgen graphql-ruby graphene hasura
database: postgresql=postgres mysql mariadb sqlite oracle sql-server=mssql cockroachdb db2
    aurora mongodb=mongo dynamodb couchdb cassandra cosmosdb=cosmos-db firestore rethinkdb
    documentdb couchbase
graph database: neo4j neptune arangodb janusgraph dgraph
key-value store: rocksdb leveldb goleveldb badger boltdb=bbolt lmdb etcd consul
time series database: influxdb timescaledb victoriametrics
data warehouse: snowflake-db bigquery redshift databricks clickhouse athena
cache: redis memcached hazelcast valkey
search engine: elasticsearch=elastic-search opensearch solr algolia meilisearch typesense sphinx
    lucene bleve lunr=lunr.js flexsearch pagefind fuse.js minisearch manticore vespa
message broker: kafka rabbitmq=rabbit-mq activemq sqs pulsar nats zeromq kinesis
    azure-service-bus google-pubsub=pubsub=pub-sub eventbridge mqtt rocketmq redis-streams
    artemis
realtime channel: websockets=websocket socket.io=socketio server-sent-events=sse
    long-polling=polling signalr webhooks=webhook pusher ably actioncable=action-cable
background jobs: sidekiq resque delayed-job=delayed_job celery rq hangfire quartz bullmq=bull
    que good-job=goodjob=good_job solid-queue=solid_queue active-job faktory asynq machinery
    temporal cadence cron=crontab
workflow engine: airflow luigi prefect dagster step-functions nifi camunda flowable
    argo-workflows spiff conductor zeebe
continuous integration: jenkins travis=travis-ci=travisci circleci=circle-ci github-actions
    gitlab-ci concourse=concourse-ci teamcity buildkite drone azure-pipelines=azure-devops
    bitbucket-pipelines codebuild tekton bamboo appveyor semaphore
continuous delivery: argocd=argo-cd flux=fluxcd spinnaker capistrano octopus
    codedeploy=codepipeline jenkins-x kamal
cloud: aws=amazon-web-services azure gcp=google-cloud=google-cloud-platform digitalocean linode
    oracle-cloud ibm-cloud
platform as a service: heroku govuk-paas=gov.uk-paas=gov-paas cloud-foundry cloud.gov netlify vercel
    fly.io openshift cloud-platform render app-engine elastic-beanstalk railway app-runner
orchestration: kubernetes=k8s docker-swarm=swarm nomad ecs fargate mesos docker-compose eks gke
    aks
function platform: lambda=aws-lambda azure-functions cloud-functions cloud-run openfaas knative
kubernetes packaging: helm kustomize tanka ytt
configuration language: pkl cue jsonnet dhall hcl
kubernetes installer: kubespray kops kubeadm rke k3s cluster-api=capi talos
kubernetes storage: rook longhorn glusterfs openebs portworx ceph nfs
service mesh: istio linkerd kuma consul-connect cilium
ingress: nginx-ingress=ingress-nginx traefik contour ambassador haproxy-ingress
policy engine: gatekeeper=opa=open-policy-agent kyverno casbin cedar
infrastructure as code: terraform=opentofu cloudformation pulumi cdk bicep crossplane
    terraform-cloud
configuration management: ansible chef puppet saltstack
virtual machine: vagrant virtualbox packer
web server: nginx apache caddy haproxy envoy puma unicorn passenger gunicorn uwsgi tomcat jetty
    undertow iis kestrel
container engine: docker podman containerd rkt
container registry: ecr docker-hub=dockerhub ghcr harbor quay artifactory nexus gcr acr
base image: alpine-linux debian ubuntu distroless centos fedora rhel flatcar
file storage: filesystem=file-system s3 minio gcs=google-cloud-storage blob-storage=azure-blob
    efs swift-storage
secrets: vault=hashicorp-vault doppler secrets-manager=aws-secrets-manager
    parameter-store=ssm-parameter-store=ssm chamber sops 1password git-crypt sealed-secrets
    external-secrets secrets-store-csi
    lastpass bitwarden keepass key-vault credhub
authentication: auth0 okta keycloak cognito devise omniauth firebase-auth azure-ad=entra
    passport magic-links supertokens dex ory login.gov cognito-pools clerk dfe-sign-in
auth protocol: saml oauth=oauth2 oidc=openid-connect jwt ldap basic-auth kerberos cas webauthn
feature flags: launchdarkly=launch-darkly unleash flipper split.io flagsmith flipt rollout-flags
    appconfig growthbook optimizely
logging library: log4j logback slf4j winston pino zap zerolog logrus serilog nlog lograge
    semantic-logger glog java.util.logging=jul log4j2 structlog loguru slog commons-logging
log storage: splunk elk loki papertrail cloudwatch=cloudwatch-logs sumologic
    graylog logit
log shipping: logstash fluentd fluentbit=fluent-bit filebeat vector-dev promtail debezium
monitoring: prometheus datadog newrelic=new-relic nagios zabbix skylight dynatrace appsignal
    icinga scout appinsights=application-insights
dashboards: grafana kibana opensearch-dashboards metabase superset looker tableau
    power-bi=powerbi redash quicksight chronograf
error tracking: sentry rollbar bugsnag airbrake honeybadger raygun
tracing: jaeger zipkin opentelemetry opentracing x-ray=aws-xray
on call: pagerduty opsgenie victorops alertmanager
orm: hibernate sqlalchemy prisma typeorm sequelize knex drizzle dapper
    activerecord=active-record jooq mybatis gorm doctrine entity-framework=ef-core pop sqlx sqlc
    ent squirrel
database migrations: flyway liquibase alembic goose golang-migrate soda dbmate sqitch
api style: rest=restful graphql grpc soap trpc json-rpc odata thrift json-api hal
api description: openapi=swagger raml api-blueprint asyncapi postman typespec
api gateway: kong apigee apim express-gateway tyk sensedia krakend api-gateway
letter case: camelcase=camel-case snake_case=snake-case kebab-case pascalcase=pascal-case
    screaming-snake-case
serialisation: json xml protobuf=protocol-buffers=protobuffers avro yaml msgpack=messagepack
    toml amino cbor bson flatbuffers ini csv
template engine: handlebars mustache liquid jinja=jinja2 ejs pug erb haml slim twig razor
    nunjucks thymeleaf
dependency injection: guice dagger autofac wire inversify unity ninject
virus scanning: clamav sophos virustotal bucketav guardduty=amazon-guardduty
translation: crowdin weblate transifex lokalise pontoon poeditor smartling
status page: statuspage statuspal cachet instatus
embedded database: h2 derby hsqldb duckdb
vulnerability scanning: snyk trivy clair anchore sonatype dependency-check grype twistlock
    starboard
dependency updates: dependabot renovate greenkeeper pyup
static analysis: brakeman bandit semgrep codeql gosec codeclimate=code-climate fortify checkmarx
source hosting: github gitlab bitbucket gitea codecommit
version control: git subversion=svn mercurial
email: sendgrid mailgun ses=amazon-ses=aws-ses postmark
    notify=govuk-notify=gov.uk-notify mailchimp mandrill sendy hubspot sparkpost mautic
sms: twilio vonage pinpoint sns plivo messagebird
payments: stripe adyen braintree paypal gocardless worldpay
content management: contentful sanity strapi wordpress drupal prismic contentstack
    netlify-cms=decap ghost storyblok directus wagtail whitehall
documentation format: markdown asciidoc restructuredtext=rst confluence notion wiki
analytics: google-analytics matomo=piwik plausible mixpanel amplitude segment fathom posthog
chat: slack microsoft-teams=ms-teams=teams zulip discord mattermost rocket.chat
video conferencing: zoom google-meet webex jitsi gotomeeting bluejeans whereby
project tracking: jira trello pivotal-tracker=pivotal asana zenhub github-projects linear
forum: discourse github-discussions google-groups
pdf generation: prince princexml wkhtmltopdf weasyprint react-pdf pdfkit pdfmake grover
    wicked-pdf gotenberg
identifiers: uuid=guid ulid snowflake cuid nanoid auto-increment
hashing: bcrypt argon2 scrypt pbkdf2 sha256=sha-256 md5 blake2
architecture style: monolith microservices=microservice serverless modular-monolith
branching: gitflow=git-flow trunk-based github-flow
repository layout: monorepo=mono-repo polyrepo=multirepo
versioning: semver=semantic-versioning calver
container tests: testcontainers localstack
cdn: cloudfront fastly cloudflare akamai
vpn: wireguard openvpn tailscale
diagrams: plantuml mermaid draw.io=drawio structurizr graphviz lucidchart excalidraw visio
web cache: varnish squid
uptime checks: uptime-kuma pingdom uptimerobot statuscake blackbox-exporter
code editor: monaco codemirror ace-editor theia orion
environment files: dotenv figaro direnv envconfig
mail access: imap pop3 ews
git hooks: husky lefthook pre-commit overcommit
component catalogue: storybook ladle styleguidist histoire
change tracking: paper-trail=papertrail-gem=paper_trail audited logidze django-simple-history
pagination: kaminari pagy will-paginate=will_paginate
permissions: pundit cancancan=cancan action-policy spatie-permission
file uploads: shrine carrierwave paperclip active-storage=activestorage multer
maps: leaflet mapbox openlayers google-maps maplibre cesium
accessibility checks: axe=axe-core pa11y lighthouse
code coverage: codecov coveralls simplecov istanbul=nyc jacoco coverage.py
release tool: semantic-release changesets release-please goreleaser
autoscaling: karpenter cluster-autoscaler keda
kubernetes backup: velero stash-backup k10
cluster networking: calico flannel weave-net
compression: gzip brotli zstd lz4 snappy
icons: font-awesome=fontawesome material-icons heroicons feather-icons
internationalisation: i18next formatjs=react-intl gettext fluent-i18n transloco ngx-translate
scheduler library: apscheduler node-cron robfig-cron whenever
state machine: aasm statesman state-machines
test data: factory-bot=factorybot=factory_bot faker fixtures-factory fishery
virtual dom tests: enzyme react-testing-library=testing-library
command line library: cobra click typer argparse commander yargs oclif thor picocli clap
api mocking: prism mockoon hoverfly
workspace: google-workspace=g-suite microsoft-365=office-365 sharepoint
design tool: figma sketch-app adobe-xd invision
survey: qualtrics surveymonkey typeform google-forms
incident tool: firehydrant incident.io statusgator
data pipeline: dbt fivetran airbyte stitch-data singer meltano
stream processing: flink spark-streaming kafka-streams beam storm ksqldb
machine learning: pytorch tensorflow jax keras scikit-learn
language model: openai anthropic mistral cohere gemini
vector database: pinecone weaviate qdrant milvus chroma pgvector faiss
load balancer: alb=application-load-balancer nlb elb=classic-load-balancer
dns: route53=route-53 cloud-dns bind9 powerdns coredns
notebook: jupyter zeppelin databricks-notebook
"""

# Spellings that are also words of everyday English: they name the thing with a capital alone.
_EVERYDAY = frozenset(
    """
    ace-editor alpine ambassador ant axe beam chroma clap click commander fluent-i18n flink
    gemini prism squid storm theia thor varnish whenever orion mistral audited
    apollo aurora backbone bamboo black bootstrap buck buffalo bull
    caddy carbon cas cedar chamber chef clair clerk cloud-platform conductor contour cue
    dagger dart dex discord drone echo elm ember emotion ent envoy express fetch fiber flask
    flipper flow flux fortify foundation ghost gin go good-job goose got hal harbor just kong
    less linear liquid lit locust looker machinery make mercurial middleman mirage moment node
    nomad nose notify notion oracle pants parcel passenger passport percy pest phoenix
    pinpoint pivotal play pop prefect primer prince puma puppet pusher quartz quay que quill
    razor relay remix render rest rook rush rust sanity scout segment semaphore slack slate
    slim snowflake soda spock spring squirrel stimulus stitches stripe swarm swift tap teams
    temporal tornado treat unicorn unity vault vega victory wiki wire zap zoom
    """.split()  # noqa: SIM905
)
# Those that are verbs have a capital, too, where they begin a sentence.
_VERBS = frozenset(
    """make render notify play rush express segment relay treat pop fetch echo tap wire
    rest""".split()  # noqa: SIM905
)
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+#_]*")
_LONGEST = 3
_SHORT = 4


@cache
def _table() -> dict[str, tuple[str, str]]:
    """Each spelling with its usual name and its kind."""
    table: dict[str, tuple[str, str]] = {}
    for line in _KINDS.strip().replace("\n    ", " ").splitlines():
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
    return low in _table() and (low not in _EVERYDAY or _is_capital(word))


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
        if at < until or word not in first_words:
            continue
        for length in range(_LONGEST, 0, -1):
            spelling = "-".join(low[at : at + length])
            known = table.get(spelling)
            if known is None or len(low) < at + length:
                continue
            if spelling not in _EVERYDAY or (_is_capital(words[at]) and (at or word not in _VERBS)):
                found.setdefault(*known)
                until = at + length
            break
    return found


# Of these a project often has several: another one is a rival only where the purpose is the same.
SEVERAL = frozenset(
    """language shell serialisation api-style auth-protocol file-storage documentation-format
    template-engine orchestration base-image cloud web-server cache logging-library letter-case
    compression load-balancer language-model log-shipping""".split()  # noqa: SIM905
)


# Of one family are kinds whose things do the same work: who takes the one needs not the other.
_FAMILIES = {"platform as a service": "orchestration"}


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
