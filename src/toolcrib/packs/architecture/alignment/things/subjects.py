"""What the things of a kind are for, in everyday words.

Who takes another thing of a kind for a stylesheet takes it for what `Sass` and `Tailwind` are
for, even where the record about them has no such word. By itself such a word decides nothing.
"""

from __future__ import annotations

from functools import cache

from toolcrib.search.stem import stem

# kind (of `technologies.py`): the words of its work
_WORDS = """
language: service services server handler handlers endpoint endpoints api backend
frontend framework: page pages screen screens component components view views widget frontend
    browser ui
web framework: page pages route routes endpoint endpoints request requests handler backend server
    website site form
static site: site website pages documentation docs handbook blog
mobile framework: app phone mobile tablet
bundler: bundle assets stylesheet script build javascript module modules minify
package manager: dependencies packages install lockfile workspace workspaces
python packaging: dependencies requirements packages lockfile virtualenv
version manager: version versions laptop laptops machine install
monorepo tool: workspace workspaces packages build
build tool: build compile jar artifact
unit test framework: test tests suite spec specs assertion assertions unit
browser test framework: test tests browser flow flows journey end-to-end e2e click clicks suite
mocking: stub stubs fake fakes double doubles mock mocks
load testing: load stress throughput performance
visual testing: screenshot screenshots pixel visual regression
linter: lint style check checks warning warnings rule rules
formatter: format formatting style indentation quotes whitespace
type checker: type types typing annotations annotate hints
style sheets: css stylesheet stylesheets style styles styling colour color theme layout spacing
    class classes margin
design system: component components button buttons style styles design look theme
state management: state store actions reducer
form library: form forms field fields input inputs submit
validation: validate validates validation invalid check body bodies schema payload input inputs
rich text editor: editor text formatting bold paragraph letter
charting: chart charts graph graphs plot axis diagram bar
date library: date dates time timezone
http client: request requests http call calls fetch
graphql library: query queries mutation resolver schema
database: database table tables row rows column records store persist data sql schema
graph database: graph node nodes edge edges relationship
key-value store: key keys value lookup
time series database: metrics series samples
data warehouse: report reports analysis warehouse analytics
cache: cache cached session sessions ttl
search engine: search results query index find matching full-text
message broker: queue queues message messages event events topic publish subscribe consumer
realtime channel: live push realtime browser update updates notify
background jobs: job jobs background nightly worker workers queue schedule scheduled task tasks
    async hourly
workflow engine: workflow workflows process step steps pipeline
continuous integration: build builds pipeline ci pull merge test tests checks workflow branch
continuous delivery: deploy deploys deployment release releases rollout delivery
cloud: account hosting region host hosted
platform as a service: host hosting deploy app apps preview run
orchestration: cluster clusters container containers pod pods node nodes service services run
function platform: function functions handler event serverless
kubernetes packaging: chart charts manifest manifests template templates overlay
kubernetes installer: cluster clusters nodes install
kubernetes storage: volume volumes disk disks persistent storage
service mesh: traffic mtls sidecar mesh
ingress: ingress traffic route host
policy engine: policy policies rule rules admission permission constraint
infrastructure as code: infrastructure environment resources bucket network account provision
configuration management: server servers machine machines configure
virtual machine: machine laptop image
web server: server proxy request requests tls
container engine: container containers image images
container registry: image images registry push pull
base image: image images base shell container
file storage: file files bucket upload uploads attachment attachments blob document documents
secrets: secret secrets password passwords key keys credential credentials token tokens
authentication: login logins account password sign-in signin user users identity
auth protocol: login token tokens session sign-in
feature flags: flag flags toggle toggles rollout feature switch
logging library: log logs logging line lines
log storage: log logs logging lines
log shipping: log logs
monitoring: monitor monitoring metric metrics alert alerts health latency
dashboards: dashboard dashboards graph graphs chart
error tracking: error errors exception exceptions crash crashes stack
tracing: trace traces tracing span spans latency
on call: alert alerts pager night
orm: query queries model models table sql database
database migrations: migration migrations schema column columns table
api style: api endpoint endpoints request call client clients
api description: api schema contract specification documentation
api gateway: api gateway traffic limit
serialisation: encode encoding format message messages file files payload persist config
template engine: template templates html page
virus scanning: virus malware scan scanned attachment attachments upload
translation: translate translation translations language text
status page: status outage
vulnerability scanning: vulnerability vulnerabilities holes scan dependencies security cve
dependency updates: dependency dependencies library libraries bump bumps update updates upgrade
static analysis: scan security bug bugs quality
source hosting: repository repositories code
email: mail mails email emails newsletter letter
sms: text texts sms message phone
payments: payment payments pay card checkout
content management: content editor editors page pages article landing publish
documentation format: documentation docs page pages handbook wiki
analytics: visitor visitors page views usage tracking statistics
chat: chat message channel announce
video conferencing: call meeting video
project tracking: ticket tickets task tasks board story stories backlog
pdf generation: pdf print document letter
identifiers: id ids identifier identifiers key
hashing: password passwords hash
diagrams: diagram diagrams drawing picture
cdn: cache asset assets edge
maps: map maps location
accessibility checks: accessibility screen reader contrast
code coverage: coverage
release tool: release releases changelog version
icons: icon icons
internationalisation: language languages translation text
git hooks: commit commits hook hooks
component catalogue: component components story stories preview
permissions: permission permissions role roles access allowed policy abilities rights
file uploads: upload uploads file files attachment
load balancer: traffic balance
dns: domain domains hostname
"""


@cache
def _kinds() -> dict[str, frozenset[str]]:
    """For each stem the kinds whose work it is."""
    found: dict[str, set[str]] = {}
    for line in _WORDS.strip().replace("\n    ", " ").splitlines():
        kind, _, words = line.partition(":")
        for word in words.split():
            found.setdefault(stem(word), set()).add(kind)
    return {word: frozenset(kinds) for word, kinds in found.items()}


@cache
def work_of(kind: str) -> frozenset[str]:
    """The stems of the words for the work of a kind."""
    return frozenset(word for word, kinds in _kinds().items() if kind in kinds)
