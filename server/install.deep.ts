// The page about the installation, followed literally in a bare Debian.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BareDebian, bareDebianAvailable, openBareDebian } from './testing/machines/bare-debian.ts'

const page = path.join(import.meta.dirname, '../docs/operate/install.md')
/** Words that an operator reads in a minute, and characters that they type or copy and compare. */
const [WORDS, CHARACTERS] = [200, 200]
/** What is typed in place of the examples: six values. */
const EDITED = 160
/** Longest reading and typing, minutes. */
const GOAL = 15

/** The page as blocks of commands, and the text between them. */
function partsOf(markdown: string): { readonly scripts: string[]; readonly prose: string } {
  const parts = markdown.split('```')
  const isScript = (part: string, index: number) => index % 2 === 1 && part.startsWith('sh\n')
  return {
    scripts: parts.filter(isScript).map((it) => it.slice(3).replaceAll(/^ {3,4}/gm, '')),
    prose: parts.filter((_, index) => index % 2 === 0).join(' '),
  }
}

/** The page's examples, which production refuses, as an operator would edit them. */
const edited = (script: string): string =>
  script
    .replace(/REPOSITORY=\S+/, 'REPOSITORY=file:///srv/todoke.git')
    .replace('株式会社とどけ', '株式会社見本')
    .replaceAll('@todoke.example', '@todoke.test')
    .replace('relay.example', 'relay.test')

/** Ends the servers and the worker, and waits until they have ended. */
const stop = `servers() { grep -ls server/[m]ain.ts /proc/[0-9]*/cmdline | sed 's|/proc/\\([0-9]*\\)/.*|\\1|' || true; }
for it in $(servers); do kill "$it" || true; done
while [ -n "$(servers)" ]; do sleep 1; done`

let debian: BareDebian
let text: string
let scripts: string[]

describe.skipIf(!bareDebianAvailable())('docs/operate/install.md', () => {
  beforeAll(async () => {
    text = await readFile(page, 'utf8')
    scripts = partsOf(text).scripts
    debian = await openBareDebian()
  })
  afterAll(() => debian?.close())

  test('leads from a bare Debian 12 to a site with HTTPS', async () => {
    expect(scripts.length).toBeGreaterThan(8)
    let output = ''
    for (const script of scripts) {
      const done = await debian.run(edited(script))
      if (script.includes('/api/health')) output = done.output
      console.log(`${done.seconds.toFixed(0).padStart(4)} s  ${script.split('\n')[0]}`)
      // Debian starts them when they are installed; without systemd they are started here.
      if (script.includes('apt-get install'))
        await debian.run('service postgresql start\nservice redis-server start')
    }
    expect(output).toContain('"media_sandbox":"bubblewrap"')
    const curl = 'curl --silent --cacert /etc/ssl/todoke/ca.pem --resolve "$SITE:443:127.0.0.1"'
    const { output: replies } = await debian.run(
      `${curl} --head "https://$SITE/"; ${curl} -o /dev/null -w '%{http_code}\\n' "https://$SITE/stored/media/x"
curl --silent --resolve "$SITE:80:127.0.0.1" -o /dev/null -w '%{http_code}\\n' "http://$SITE/"`,
    )
    expect(replies).toMatch(/^HTTP\/2 200/)
    expect(replies.toLowerCase()).toContain('strict-transport-security: max-age=31536000')
    expect(replies.trim().split('\n').slice(-2)).toEqual(['404', '308'])
  })

  const call =
    'curl --silent --show-error --fail --cacert /etc/ssl/todoke/ca.pem --resolve "$SITE:443:127.0.0.1"'
  const send = `${call} --header 'content-type: application/json' --header "origin: https://$SITE"`

  test('gives the first admin, although the relay sends nothing', async () => {
    const { output } = await debian.run(
      `${send} --data '{"name":"最初の人","birth_date":"1990-01-01","password":"first-password-1","terms":true,"email":"'"$ADMIN_EMAIL"'"}' \\
  "https://$SITE/api/auth/sign-up" > /dev/null
LINK=$(todoke-admin staff link "$ADMIN_EMAIL")
${send} --data '{"password":"first-password-1","token":"'"\${LINK##*token=}"'"}' "https://$SITE/api/auth/sign-up/confirm"`,
    )
    expect(JSON.parse(output)).toMatchObject({ user: { role: 'admin' } })
  })

  test('is restored on an empty machine from a backup and the file that the page says to keep', async () => {
    await debian.run(`install -d -o todoke -g todoke -m 0700 /var/backups/todoke
todoke-admin backup create /var/backups/todoke/first
cp /etc/todoke/todoke.env /root/kept.env
${stop}
runuser -u postgres -- dropdb todoke
rm -r /var/lib/todoke /etc/todoke
runuser -u postgres -- createdb --owner todoke todoke
install -d -o todoke -g todoke -m 0700 /var/lib/todoke
install -d /etc/todoke
install -m 0600 /root/kept.env /etc/todoke/todoke.env`)
    const early = await debian.run('todoke-admin storage check && exit 1; echo "ended with $?"')
    expect(early.output).toContain('ended with 2')
    const { output } = await debian.run(`todoke-admin backup restore /var/backups/todoke/first
todoke-admin storage check
todoke-admin audit verify`)
    expect(output).toContain('復元が終わりました。')
    expect(output.match(/ユーザー1人/g)).toHaveLength(2)
    const ready = '--retry 300 --retry-delay 1 --retry-all-errors "https://$SITE/api/health/ready"'
    const { output: signedIn } =
      await debian.run(`systemctl start todoke-web@8787 todoke-web@8788 todoke-worker
${call} ${ready} > /dev/null
${send} --data '{"email":"'"$ADMIN_EMAIL"'","password":"first-password-1"}' "https://$SITE/api/auth/sign-in"`)
    expect(JSON.parse(signedIn)).toMatchObject({ user: { role: 'admin' } })
  })

  test('takes at most 15 minutes of reading and typing', () => {
    const { prose } = partsOf(text.slice(0, text.indexOf('## How long it takes')))
    const reading = prose.split(/\s+/).length / WORDS
    const typing = (scripts.join('').length + EDITED) / CHARACTERS
    console.log(`reading ${reading.toFixed(1)} min, typing ${typing.toFixed(1)} min`)
    expect(reading + typing).toBeLessThanOrEqual(GOAL)
  })
})
