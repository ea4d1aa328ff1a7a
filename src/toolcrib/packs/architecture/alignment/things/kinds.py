"""The table of known things: kinds of software, each with its members.

A kind is a class of things of which a project has one, as a rule, and whose members could stand
in for each other. Each line has a kind and its things; a thing of several words is written with
dashes, and `=` gives another spelling.
"""

from __future__ import annotations

KINDS = """
language: python java kotlin golang rust typescript javascript ruby php c# c++ scala elixir
    erlang clojure swift dart haskell perl groovy f# lua ocaml zig
shell: bash zsh powershell fish
javascript runtime: node=nodejs=node.js deno
frontend framework: react angular=angularjs vue=vue.js=vuejs=vue3 svelte ember preact solidjs
    backbone elm lit htmx stimulus alpine=alpinejs jquery knockout qwik marko mithril stencil
    riot alpine.js
web framework: rails=ruby-on-rails django flask fastapi express=expressjs=express.js nestjs
    spring=spring-boot laravel symfony sinatra phoenix gin echo fiber next.js=nextjs remix
    nuxt=nuxt.js gatsby=gatsbyjs astro asp.net play ktor quarkus micronaut koa hapi fastify
    buffalo tornado sanic starlette goji hanami padrino litestar bottle cherrypy pyramid
    django-rest-framework=drf actix axum rocket vapor spring-webflux vert.x=vertx adonisjs
    solid-start blazor meteor redwood=redwoodjs grails dropwizard helidon javalin struts vaadin
    yii codeigniter cakephp roda grape hono servant yesod wicket jsf sveltekit
static site: jekyll hugo eleventy=11ty docusaurus mkdocs gitbook antora vuepress vitepress
    middleman sphinx-docs zola pelican hexo nextra starlight bridgetown nanoc metalsmith
mobile framework: react-native flutter ionic xamarin cordova capacitor maui swiftui
    jetpack-compose kotlin-multiplatform nativescript expo
desktop framework: electron tauri wpf qt swing javafx gtk wails avalonia winforms
bundler: webpack vite rollup parcel esbuild snowpack turbopack browserify gulp grunt sprockets
    webpacker rspack swc tsup rolldown
package manager: npm yarn pnpm bun
python packaging: pip poetry pipenv conda uv pdm hatch setuptools pip-tools=pip-compile rye flit
    pixi mamba
version manager: asdf nodenv nvm rbenv rvm pyenv volta fnm mise goenv sdkman nix jenv chruby
router: gorilla=mux chi httprouter
monorepo tool: lerna nx turborepo rush bazel pants
build tool: maven gradle ant sbt make=makefile buck cmake rake mage just taskfile=go-task ninja
    meson msbuild nant scons
unit test framework: jest mocha vitest jasmine ava qunit junit testng spock rspec minitest
    pytest unittest nose xunit nunit mstest phpunit pest bats shunit2 testify ginkgo hspec
    kotest tap chai catch2 googletest=gtest=google-test tape karma cargo-nextest=nextest doctest
    uvu tasty expecto
browser test framework: cypress playwright selenium testcafe puppeteer nightwatch=nightwatch.js
    webdriverio capybara protractor watir webdriver codeceptjs taiko robot-framework geb
    serenity
mocking: sinon mockito easymock testdouble vcr webmock msw nock wiremock mockery gomock
    nsubstitute moq fakeiteasy mountebank mirage=miragejs rspec-mocks unittest.mock mockk
load testing: k6 jmeter gatling locust artillery vegeta wrk tsung siege loadrunner blazemeter
    fortio
visual testing: backstopjs percy chromatic applitools happo reg-suit lost-pixel argos
linter: eslint tslint rubocop=rubocop-govuk standardrb=standard.rb=standard-rb standardjs pylint
    flake8 ruff checkstyle sonarqube=sonarcloud biome stylelint golangci-lint=golangci golint
    oxlint pmd spotbugs phpstan psalm standard-js shellcheck clippy detekt ktlint swiftlint
    credo hadolint reek pycodestyle pyflakes phpcs scalastyle
formatter: prettier black gofmt yapf autopep8 clang-format google-java-format dprint spotless
    ktfmt scalafmt rustfmt isort
type checker: mypy pyright flow pyre sorbet steep typeguard
style sheets: sass=scss less tailwind=tailwindcss bootstrap styled-components emotion
    css-modules postcss bulma material-ui=mui treat vanilla-extract linaria stitches foundation
    chakra=chakra-ui stylus css-in-js unocss shadcn=shadcn-ui daisyui vuetify quasar primevue
    primeng radix=radix-ui mantine fluent-ui headless-ui semantic-ui tachyons pandacss=panda-css
    styled-jsx windicss
design system: uswds govuk-frontend carbon polaris primer ant-design=antd nhsuk-frontend
    cloudscape lightning-design-system patternfly clarity-design spectrum
state management: redux mobx recoil zustand vuex pinia ngrx xstate jotai effector valtio
    nanostores akita
form library: formik react-hook-form=react-hook-forms redux-form
    final-form=react-final-form=react-jsonschema-form vee-validate tanstack-form
    simple_form=simple-form formtastic uniforms formily
validation: yup zod joi ajv superstruct pydantic marshmallow cerberus fluentvalidation valibot
    class-validator io-ts runtypes typebox arktype voluptuous json-schema=jsonschema
    dry-validation pandera vest
rich text editor: tiptap quill slate draftjs=draft.js ckeditor tinymce prosemirror lexical
    toastui=toast-ui trix froala summernote editor.js=editorjs wysihtml remirror
charting: d3 chart.js=chartjs highcharts recharts plotly vega victory echarts nivo visx
    apexcharts c3.js=c3js nvd3 matplotlib bokeh amcharts chartist frappe-charts
date library: moment=momentjs=moment.js date-fns luxon dayjs=day.js joda pendulum
    noda-time=nodatime joda-time threeten
http client: axios fetch superagent got node-fetch httpx aiohttp okhttp faraday httparty resty
    guzzle retrofit feign undici restclient typhoeus
graphql library: apollo relay urql gqlgen graphql-ruby graphene hasura graphql-yoga
    strawberry-graphql ariadne absinthe juniper mercurius pothos type-graphql
database: postgresql=postgres mysql mariadb sqlite oracle sql-server=mssql cockroachdb db2
    aurora mongodb=mongo dynamodb couchdb cassandra cosmosdb=cosmos-db firestore rethinkdb
    documentdb couchbase yugabytedb tidb planetscale sybase firebird ravendb surrealdb
    spanner=cloud-spanner singlestore faunadb=fauna
graph database: neo4j neptune arangodb janusgraph dgraph tigergraph memgraph orientdb
    nebula-graph
key-value store: rocksdb leveldb goleveldb badger boltdb=bbolt lmdb etcd consul
time series database: influxdb timescaledb victoriametrics opentsdb questdb graphite timestream
data warehouse: snowflake-db bigquery redshift databricks clickhouse athena synapse vertica
    teradata trino presto druid
cache: redis memcached hazelcast valkey ehcache infinispan elasticache
search engine: elasticsearch=elastic-search opensearch solr algolia meilisearch typesense sphinx
    lucene bleve lunr=lunr.js flexsearch pagefind fuse.js minisearch manticore vespa
    azure-cognitive-search=azure-search cloudsearch zincsearch whoosh xapian tantivy swiftype
message broker: kafka rabbitmq=rabbit-mq activemq sqs pulsar nats zeromq kinesis
    azure-service-bus google-pubsub=pubsub=pub-sub eventbridge mqtt rocketmq redis-streams
    artemis redpanda ibm-mq=websphere-mq msmq amazon-mq event-hubs=event-hub nsq liftbridge
    google-pub-sub mosquitto nservicebus masstransit
realtime channel: websockets=websocket socket.io=socketio server-sent-events=sse
    long-polling=polling signalr webhooks=webhook pusher ably actioncable=action-cable
background jobs: sidekiq resque delayed-job=delayed_job celery rq hangfire quartz bullmq=bull
    que good-job=goodjob=good_job solid-queue=solid_queue active-job faktory asynq machinery
    temporal cadence cron=crontab dramatiq huey graphile-worker oban shoryuken sucker-punch
    sneakers bee-queue
workflow engine: airflow luigi prefect dagster step-functions nifi camunda flowable
    argo-workflows spiff conductor zeebe kestra windmill n8n durable-functions kubeflow
continuous integration: jenkins travis=travis-ci=travisci circleci=circle-ci github-actions
    gitlab-ci concourse=concourse-ci teamcity buildkite drone azure-pipelines=azure-devops
    bitbucket-pipelines codebuild tekton bamboo appveyor semaphore woodpecker gocd cirrus-ci
    codefresh wercker harness google-cloud-build=cloud-build codeship
continuous delivery: argocd=argo-cd flux=fluxcd spinnaker capistrano octopus
    codedeploy=codepipeline jenkins-x kamal deploybot octopus-deploy werf
cloud: aws=amazon-web-services azure gcp=google-cloud=google-cloud-platform digitalocean linode
    oracle-cloud ibm-cloud hetzner ovh=ovhcloud scaleway alibaba-cloud upcloud exoscale
platform as a service: heroku govuk-paas=gov.uk-paas=gov-paas cloud-foundry cloud.gov netlify
    vercel fly.io openshift cloud-platform render app-engine elastic-beanstalk railway
    app-runner dokku porter coolify platform.sh cloudflare-pages github-pages firebase-hosting
    azure-app-service=app-service amplify surge
orchestration: kubernetes=k8s docker-swarm=swarm nomad ecs fargate mesos docker-compose eks gke
    aks rancher
function platform: lambda=aws-lambda azure-functions cloud-functions cloud-run openfaas knative
    cloudflare-workers fission nuclio deno-deploy
kubernetes packaging: helm kustomize tanka ytt helmfile ksonnet carvel cdk8s kompose
configuration language: pkl cue jsonnet dhall hcl
kubernetes installer: kubespray kops kubeadm rke k3s cluster-api=capi talos microk8s minikube
    gardener kurl
kubernetes storage: rook longhorn glusterfs openebs portworx ceph nfs linstor topolvm local-path
    mayastor
service mesh: istio linkerd kuma consul-connect cilium traefik-mesh app-mesh
ingress: nginx-ingress=ingress-nginx traefik contour ambassador haproxy-ingress kong-ingress
    skipper emissary ingress-haproxy gateway-api
policy engine: gatekeeper=opa=open-policy-agent kyverno casbin cedar permit.io openfga spicedb
    kubewarden jspolicy oso
infrastructure as code: terraform=opentofu cloudformation pulumi cdk bicep crossplane
    terraform-cloud aws-sam=sam-cli serverless-framework terragrunt cdktf arm-templates
configuration management: ansible chef puppet saltstack salt cfengine
virtual machine: vagrant virtualbox packer
web server: nginx apache caddy haproxy envoy puma unicorn passenger gunicorn uwsgi tomcat jetty
    undertow iis kestrel lighttpd openresty hypercorn uvicorn daphne wildfly weblogic jboss
    glassfish
container engine: docker podman containerd rkt buildah buildpacks cri-o lxc lxd kaniko
container registry: ecr docker-hub=dockerhub ghcr harbor quay artifactory nexus gcr acr jfrog
base image: alpine-linux debian ubuntu distroless centos fedora rhel flatcar
file storage: filesystem=file-system s3 minio gcs=google-cloud-storage blob-storage=azure-blob
    efs swift-storage backblaze=backblaze-b2=b2 wasabi r2=cloudflare-r2 glacier=s3-glacier
    coldline gridfs azure-files seaweedfs
secrets: vault=hashicorp-vault doppler secrets-manager=aws-secrets-manager
    parameter-store=ssm-parameter-store=ssm chamber sops 1password git-crypt sealed-secrets
    external-secrets secrets-store-csi lastpass bitwarden keepass key-vault credhub infisical
    akeyless conjur berglas teller
authentication: auth0 okta keycloak cognito devise omniauth firebase-auth azure-ad=entra
    passport magic-links supertokens dex ory login.gov cognito-pools clerk dfe-sign-in authelia
    authentik ping-identity=pingfederate fusionauth workos descope stytch
    identityserver=identity-server rodauth sorcery clearance warden nextauth=next-auth=auth.js
    onelogin forgerock zitadel
auth protocol: saml oauth=oauth2 oidc=openid-connect jwt ldap basic-auth kerberos cas webauthn
    mtls=mutual-tls api-keys=api-key passkeys hmac opaque-tokens
feature flags: launchdarkly=launch-darkly unleash flipper split.io flagsmith flipt rollout-flags
    appconfig growthbook optimizely configcat statsig openfeature fflip devcycle
logging library: log4j logback slf4j winston pino zap zerolog logrus serilog nlog lograge
    semantic-logger glog java.util.logging=jul log4j2 structlog loguru slog commons-logging
    bunyan morgan tracing-subscriber monolog
log storage: splunk elk loki papertrail cloudwatch=cloudwatch-logs sumologic graylog logit
    logdna=mezmo loggly logtail=better-stack humio coralogix logz.io
log shipping: logstash fluentd fluentbit=fluent-bit filebeat vector-dev promtail debezium
monitoring: prometheus datadog newrelic=new-relic nagios zabbix skylight dynatrace appsignal
    icinga scout appinsights=application-insights netdata checkmk instana appdynamics
    stackdriver=cloud-monitoring azure-monitor sensu telegraf victoria-metrics signoz uptrace
dashboards: grafana kibana opensearch-dashboards metabase superset looker tableau
    power-bi=powerbi redash quicksight chronograf lightdash holistics sisense qlik=qlikview domo
    chartio
error tracking: sentry rollbar bugsnag airbrake honeybadger raygun glitchtip exceptionless
    trackjs elmah errbit highlight.io
tracing: jaeger zipkin opentelemetry opentracing x-ray=aws-xray honeycomb lightstep
    tempo=grafana-tempo skywalking aspecto appdash
on call: pagerduty opsgenie victorops alertmanager xmatters squadcast grafana-oncall rootly
orm: hibernate sqlalchemy prisma typeorm sequelize knex drizzle dapper
    activerecord=active-record jooq mybatis gorm doctrine entity-framework=ef-core pop sqlx sqlc
    ent squirrel mikro-orm objection.js=objection bookshelf waterline peewee tortoise-orm
    django-orm ponyorm eloquent propel ebean exposed diesel seaorm=sea-orm nhibernate kysely
    mongoose rom-rb ecto esqueleto
database migrations: flyway liquibase alembic goose golang-migrate soda dbmate sqitch phinx
    umzug roundhouse dbup golang-migrations sql-migrate refinery node-pg-migrate db-migrate
    standalone-migrations
api style: rest=restful graphql grpc soap trpc json-rpc odata thrift json-api hal
api description: openapi=swagger raml api-blueprint asyncapi postman typespec smithy swagger-ui
    redoc apiary
api gateway: kong apigee apim express-gateway tyk sensedia krakend api-gateway gravitee wso2
    mulesoft zuul spring-cloud-gateway azure-api-management=api-management
letter case: camelcase=camel-case snake_case=snake-case kebab-case pascalcase=pascal-case
    screaming-snake-case
serialisation: json xml protobuf=protocol-buffers=protobuffers avro yaml msgpack=messagepack
    toml amino cbor bson flatbuffers ini csv capnproto=cap-n-proto parquet edn ron json5 hocon
    rlp ssz borsh scale-codec jsonb pickle
template engine: handlebars mustache liquid jinja=jinja2 ejs pug erb haml slim twig razor
    nunjucks thymeleaf freemarker velocity mako smarty blade tera askama heex scriban
dependency injection: guice dagger autofac wire inversify unity ninject koin hilt castle-windsor
    structuremap simple-injector tsyringe awilix lamar scrutor
virus scanning: clamav sophos virustotal bucketav guardduty=amazon-guardduty
    windows-defender=defender attachmentav cloudmersive opswat metadefender trend-micro
translation: crowdin weblate transifex lokalise pontoon poeditor smartling tolgee localazy
    zanata onesky pootle
status page: statuspage statuspal cachet instatus atlassian-statuspage gatus upptime status.io
    cstate
embedded database: h2 derby hsqldb duckdb
vulnerability scanning: snyk trivy clair anchore sonatype dependency-check grype twistlock
    starboard dependabot-alerts mend=whitesource aqua-security osv-scanner npm-audit
    bundler-audit docker-scout prisma-cloud tenable=nessus qualys inspector=amazon-inspector
    black-duck=blackduck veracode
dependency updates: dependabot renovate greenkeeper pyup depfu scala-steward updatecli
static analysis: brakeman bandit semgrep codeql gosec codeclimate=code-climate fortify checkmarx
    sonarlint coverity deepsource codacy klocwork phan
source hosting: github gitlab bitbucket gitea codecommit azure-repos sourcehut forgejo
    phabricator gogs gerrit
version control: git subversion=svn mercurial
email: sendgrid mailgun ses=amazon-ses=aws-ses postmark notify=govuk-notify=gov.uk-notify
    mailchimp mandrill sendy hubspot sparkpost mautic mailjet brevo=sendinblue resend
    elastic-email customer.io campaign-monitor mailtrap aweber constant-contact klaviyo sendmail
    postfix
sms: twilio vonage pinpoint sns plivo messagebird nexmo sinch infobip clickatell telnyx
    amazon-sns aws-sns bulksms
payments: stripe adyen braintree paypal gocardless worldpay checkout.com mollie klarna
    authorize.net govuk-pay=gov.uk-pay razorpay paddle chargebee recurly pay.gov sagepay
content management: contentful sanity strapi wordpress drupal prismic contentstack
    netlify-cms=decap ghost storyblok directus wagtail whitehall butter-cms=buttercms kentico
    umbraco sitecore adobe-experience-manager=aem payload-cms tina-cms=tinacms keystone
    keystonejs dato-cms=datocms hygraph=graphcms joomla typo3 craft-cms=craftcms builder.io
    squarespace wix webflow magnolia sitefinity cosmic-js
documentation format: markdown asciidoc restructuredtext=rst confluence notion wiki
analytics: google-analytics matomo=piwik plausible mixpanel amplitude segment fathom posthog ga4
    snowplow umami pirsch adobe-analytics statcounter hotjar fullstory goatcounter
    simple-analytics countly rudderstack
chat: slack microsoft-teams=ms-teams=teams zulip discord mattermost rocket.chat gitter irc
    webex-teams google-chat hipchat
video conferencing: zoom google-meet webex jitsi gotomeeting bluejeans whereby skype
    bigbluebutton daily.co livekit
project tracking: jira trello pivotal-tracker=pivotal asana zenhub github-projects linear
    youtrack monday.com clickup shortcut redmine bugzilla github-issues azure-boards basecamp
    wrike taiga openproject
forum: discourse github-discussions google-groups flarum nodebb phpbb stack-overflow-teams
pdf generation: prince princexml wkhtmltopdf weasyprint react-pdf pdfkit pdfmake grover
    wicked-pdf gotenberg jspdf itext pdfbox tcpdf dompdf mpdf docraptor fpdf reportlab prawn
    apache-fop=fop jasperreports pdf-lib typst latex hexapdf
identifiers: uuid=guid ulid snowflake cuid nanoid auto-increment ksuid xid hashids=hashid sqids
    typeid object-id
hashing: bcrypt argon2 scrypt pbkdf2 sha256=sha-256 md5 blake2 sha1=sha-1 sha512=sha-512 sha3
    crc32 xxhash murmur3=murmurhash keccak blake3
architecture style: monolith microservices=microservice serverless modular-monolith
branching: gitflow=git-flow trunk-based github-flow feature-branches gitlab-flow
    release-branches trunk-based-development
repository layout: monorepo=mono-repo polyrepo=multirepo
versioning: semver=semantic-versioning calver
container tests: testcontainers localstack
cdn: cloudfront fastly cloudflare akamai bunnycdn=bunny.net keycdn azure-front-door azure-cdn
    cloud-cdn stackpath jsdelivr
vpn: wireguard openvpn tailscale ipsec zerotier pritunl headscale anyconnect
diagrams: plantuml mermaid draw.io=drawio structurizr graphviz lucidchart excalidraw visio
    c4-plantuml likec4 yuml omnigraffle miro archimate ilograph websequencediagrams diagrams.net
    mural
web cache: varnish squid apache-traffic-server=traffic-server nuster
uptime checks: uptime-kuma pingdom uptimerobot statuscake blackbox-exporter checkly
    better-uptime freshping updown.io site24x7 healthchecks.io hetrixtools
code editor: monaco codemirror ace-editor theia orion vscode=visual-studio-code=vs-code neovim
    emacs intellij=intellij-idea sublime-text
environment files: dotenv figaro direnv envconfig
mail access: imap pop3 ews
git hooks: husky lefthook pre-commit overcommit githooks simple-git-hooks lint-staged commitizen
    commitlint
component catalogue: storybook ladle styleguidist histoire docz bit-components fractal
    pattern-lab lookbook
change tracking: paper-trail=papertrail-gem=paper_trail audited logidze django-simple-history
    envers temporal-tables mongoid-history
pagination: kaminari pagy will-paginate=will_paginate geared-pagination order-query
permissions: pundit cancancan=cancan action-policy spatie-permission rolify banken
    declarative-authorization casl laravel-permission
file uploads: shrine carrierwave paperclip active-storage=activestorage multer uppy dropzone
    filepond fine-uploader tus formidable busboy refile plupload
maps: leaflet mapbox openlayers google-maps maplibre cesium here-maps bing-maps arcgis geoserver
    titiler mapserver tileserver-gl deck.gl os-maps mapkit azure-maps tomtom
accessibility checks: axe=axe-core pa11y lighthouse tenon deque ibm-equal-access
    accessibility-insights
code coverage: codecov coveralls simplecov istanbul=nyc jacoco coverage.py lcov opencover
    coverlet cobertura kover tarpaulin deepcover
release tool: semantic-release changesets release-please goreleaser standard-version release-it
    release-drafter towncrier jreleaser cargo-release bumpversion=bump2version git-cliff
autoscaling: karpenter cluster-autoscaler keda
kubernetes backup: velero stash-backup k10
cluster networking: calico flannel weave-net
compression: gzip brotli zstd lz4 snappy
icons: font-awesome=fontawesome material-icons heroicons feather-icons ionicons octicons
    tabler-icons lucide phosphor-icons remixicon iconify bootstrap-icons
internationalisation: i18next formatjs=react-intl gettext fluent-i18n transloco ngx-translate
    lingui vue-i18n polyglot.js messageformat rails-i18n typesafe-i18n
scheduler library: apscheduler node-cron robfig-cron whenever node-schedule bree rufus-scheduler
    shedlock sidekiq-cron
state machine: aasm statesman state-machines
test data: factory-bot=factorybot=factory_bot faker fixtures-factory fishery fabrication
    factory-boy factory_girl=factory-girl mimesis autofixture chance.js populator model-mommy
    instancio
virtual dom tests: enzyme react-testing-library=testing-library
command line library: cobra click typer argparse commander yargs oclif thor picocli clap
    urfave-cli=urfave docopt jcommander optparse-applicative caporal gluegun spectre.console
api mocking: prism mockoon hoverfly
workspace: google-workspace=g-suite microsoft-365=office-365 sharepoint
design tool: figma sketch-app adobe-xd invision
survey: qualtrics surveymonkey typeform google-forms limesurvey jotform alchemer smartsurvey
incident tool: firehydrant incident.io statusgator
data pipeline: dbt fivetran airbyte stitch-data singer meltano matillion talend informatica
    pentaho glue=aws-glue hevo rivery estuary sqlmesh
stream processing: flink spark-streaming kafka-streams beam storm ksqldb
machine learning: pytorch tensorflow jax keras scikit-learn mxnet xgboost lightgbm onnx catboost
language model: openai anthropic mistral cohere gemini claude gpt-4=gpt4 llama deepseek qwen
    bedrock=amazon-bedrock azure-openai ollama huggingface=hugging-face
vector database: pinecone weaviate qdrant milvus chroma pgvector faiss lancedb vald marqo
    turbopuffer
load balancer: alb=application-load-balancer nlb elb=classic-load-balancer
dns: route53=route-53 cloud-dns bind9 powerdns coredns cloudflare-dns dnsimple ns1 unbound
    azure-dns google-domains namecheap godaddy gandi
notebook: jupyter zeppelin databricks-notebook
behaviour tests: cucumber specflow behave gherkin karate turnip spinach jbehave reqnroll
contract tests: pact spring-cloud-contract dredd schemathesis specmatic
data fetching: react-query=tanstack-query swr rtk-query redux-saga redux-thunk
api client generator: openapi-generator swagger-codegen orval nswag kiota openapi-typescript
    autorest
object mapping: automapper mapster mapstruct modelmapper
mediator: mediatr brighter
remote desktop: bastion guacamole teleport session-manager=ssm-session-manager boundary
certificates: lets-encrypt=letsencrypt cert-manager acm=aws-certificate-manager zerossl digicert
    certbot
backup: restic borg duplicity aws-backup barman pgbackrest wal-g
chaos testing: chaos-monkey litmus gremlin chaos-mesh toxiproxy
api exploration: insomnia hoppscotch bruno graphiql httpie
documentation generator: javadoc doxygen typedoc jsdoc godoc rustdoc docfx
rate limiting: rack-attack express-rate-limit bucket4j
resilience: polly resilience4j hystrix opossum
spreadsheet library: exceljs sheetjs=xlsx openpyxl apache-poi=poi closedxml epplus roo caxlsx
    axlsx
image processing: imagemagick libvips=vips pillow graphicsmagick thumbor imgproxy cloudinary
    imgix
geographic data: postgis geopandas shapely turf.js
help desk: zendesk freshdesk intercom helpscout=help-scout servicenow zammad
customer records: salesforce dynamics-365 zoho pipedrive sugarcrm
digital signature: docusign hellosign adobe-sign
blockchain node: geth erigon besu nethermind
build cache: ccache sccache bazel-remote
environment provisioning: devcontainers=dev-containers=devcontainer gitpod
    codespaces=github-codespaces coder devbox devenv nix-shell
prose checks: vale proselint textlint write-good languagetool
"""
"""Each kind with its things, as `technologies.py` reads them."""

EVERYDAY = frozenset(
    """
    ace-editor acm alpine ambassador amplify ant anyconnect apollo aqua-security arcgis argos
    ariadne audited aurora axe axlsx b2 backbone bamboo barman basecamp bastion beam bedrock
    behave berglas besu black blade bookshelf bootstrap borg boundary bree brighter bruno buck
    buffalo bull bunyan busboy caddy carbon cas cedar chamber checkly chef chroma clair clap
    claude clearance clerk click clippy closedxml cloud-platform coder codespaces coldline
    commander commitizen conductor conjur contour countly coverity credo cue dagger dart
    defender deque devbox dex diesel discord docopt docz domo dredd drone dropzone druid ebean
    echo ecto elastic-email elm eloquent ember emissary emotion ent envoy erigon estuary expo
    exposed express fabrication fauna faunadb feign fetch fiber filepond fission flask flink
    flipper flow fluent-i18n flux fop formidable fortify foundation fpdf fractal gandi gatus geb
    gemini geth ghost gin gitpod gitter glacier glue go good-job goose got grails grape graphite
    graylog gremlin guacamole guzzle hal harbor harness hilt honeycomb hotjar huey hystrix imgix
    infobip informatica insomnia inspector intercom ionicons irc itext juniper just karate
    keccak keystone kiota klarna koin kong latex less likec4 limesurvey linear liquid lit litmus
    llama locust lookbook looker lucide machinery magnolia mailjet make mako mantine mapster
    marko matillion mend mercurial meson meteor middleman mimesis mirage miro mistral mollie
    moment morgan mural ninja node nomad nose notify notion nswag oban objection octicons onnx
    opentsdb opossum oracle orion orval oso pact paddle pants parcel parquet passenger passport
    pendulum pentaho percy pest phan phoenix pickle pillow pinpoint pivotal plausible play poi
    polly polyglot.js pop populator porter prawn prefect presto primer prince prism pritunl
    propel puma puppet pusher qlik quartz quasar quay que quill qwen r2 rancher razor razorpay
    reek refinery relay remix render reportlab resend rest restic retrofit riot rivery rolify
    roo rook rush rust salesforce salt sanity scout segment semaphore sensu serenity servant
    shortcut siege sinch skipper skype slack slate slim smarty smithy sneakers snowflake soda
    sorcery spanner spectrum spinach spock spotless spring squid squirrel stackdriver steep
    stencil stimulus stitches storm stripe struts surge swarm swift swing swr synapse taiga
    taiko talend tap teams teleport teller telnyx tempo temporal tenable textlint theia thor
    thumbor titiler tolgee tornado towncrier traefik-mesh treat trino turf.js turnip tus typst
    umami unbound unicorn unity upptime uppy vale varnish vault vega velocity vest victory vips
    warden wasabi waterline webdriver whenever wicket wiki windmill wire wix wrike youtrack zap
    zendesk zoho zoom
    """.split()  # noqa: SIM905
)
"""Spellings that are also words of everyday English: they name the thing with a capital alone."""
