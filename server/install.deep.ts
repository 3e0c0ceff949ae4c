// The page about the installation, followed literally in a bare Debian.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BareDebian, bareDebianAvailable, openBareDebian } from './testing/machines/bare-debian.ts'

const page = path.join(import.meta.dirname, '../docs/operate/install.md')
/** Words that an operator reads in a minute, and characters that they type or copy and compare. */
const [WORDS, CHARACTERS] = [200, 200]
/** What is edited by hand: four values. */
const EDITED = 120
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
      const done = await debian.run(script.replace(/REPOSITORY=\S+/, 'REPOSITORY=file:///srv/todoke.git'))
      output = done.output
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

  test('takes at most 15 minutes of reading and typing', () => {
    const { prose } = partsOf(text.slice(0, text.indexOf('## How long it takes')))
    const reading = prose.split(/\s+/).length / WORDS
    const typing = (scripts.join('').length + EDITED) / CHARACTERS
    console.log(`reading ${reading.toFixed(1)} min, typing ${typing.toFixed(1)} min`)
    expect(reading + typing).toBeLessThanOrEqual(GOAL)
  })
})
