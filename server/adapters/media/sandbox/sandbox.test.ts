// The sandbox of media processes: what a process can reach, and which output is accepted.
import { link, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { isInstalled } from '#server/testing/programs.ts'
import { sandboxHere } from './finder.ts'
import { trySandbox } from './try-sandbox.ts'
import { makeJobFolder, putInput, takeOutput } from '#server/adapters/media/job-folder.ts'
import { openMediaMaker, refusingMediaMaker } from '#server/adapters/media/maker.ts'
import { startMediaProcess } from '#server/adapters/media/media-process.ts'
import { commandOf } from './command.ts'

const hasBubblewrap = isInstalled('bwrap')
const limits = { memory: 1024 * 1024 * 1024, cpu: 60, hidden: [] }

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'todoke-sandbox-test-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe.skipIf(!hasBubblewrap)('with bubblewrap', () => {
  test('the test at the start succeeds, and fails where bubblewrap is missing', async () => {
    await trySandbox(defined(process.env['PATH']))
    expect(await sandboxHere.find()).toBe('bubblewrap')
    const { PATH } = process.env
    process.env['PATH'] = '/nowhere'
    await expect(trySandbox('/nowhere')).rejects.toThrow('ENOENT')
    process.env['PATH'] = PATH
  })

  test('a process can read its input and no other file, and has no variable of the server', async () => {
    const job = await makeJobFolder(folder)
    const [planted, given] = [path.join(folder, 'planted'), path.join(folder, 'given')]
    await writeFile(planted, 'secret')
    await writeFile(given, 'given')
    await putInput(job, given, 'file')
    process.env['SECRET_KEY'] = 'never for a media process'
    const child = startMediaProcess({
      sandbox: 'bubblewrap',
      job,
      path: process.env['PATH'] ?? '',
      ...limits,
    })
    delete process.env['SECRET_KEY']
    const task = { kind: 'probe', input: '/job/in/file', output: '/job/out', planted, port: 1 }
    const answer = await child.request(task, 30_000)
    await child.end()
    expect(answer).toMatchObject({ readsOthers: false, changesInput: false, connects: false })
    expect((answer as { environment: string[] }).environment).not.toContain('SECRET_KEY')
    expect(await readFile(`${job}/out/file`, 'utf8')).toBe('given')
    expect(await readFile(given, 'utf8')).toBe('given')
  })

  test('a data folder inside a visible folder stays invisible', () => {
    const hidden = [path.join(process.cwd(), 'node_modules', 'data')]
    const command = { sandbox: 'bubblewrap', job: '/j', path: '', ...limits, hidden } as const
    const { args } = commandOf(command)
    expect(args[args.indexOf('--tmpfs') + 1]).toBe(hidden[0])
  })
})

test('a process without a sandbox has limits and no variable of the server either', async () => {
  const job = await makeJobFolder(folder)
  await writeFile(`${job}/in/file`, 'given')
  process.env['SECRET_KEY'] = 'never for a media process'
  const child = startMediaProcess({ sandbox: 'none', job, path: process.env['PATH'] ?? '', ...limits })
  delete process.env['SECRET_KEY']
  const task = {
    kind: 'probe',
    input: `${job}/in/file`,
    output: `${job}/out`,
    planted: '/etc/passwd',
    port: 1,
  }
  const answer = await child.request(task, 30_000)
  await child.end()
  expect(answer).toMatchObject({ is: 'probed', readsOthers: true })
  expect((answer as { environment: string[] }).environment).not.toContain('SECRET_KEY')
})

describe('the output of a process', () => {
  test('is moved where its names are known', async () => {
    const [job, to] = [await makeJobFolder(folder), path.join(folder, 'to')]
    await mkdir(`${job}/out/hls`)
    await mkdir(to)
    for (const it of ['w480.webp', 'play.mp4', 'hls/main.m3u8', 'hls/1.m4s', 'other', 'hls/other'])
      await writeFile(`${job}/out/${it}`, it)
    await takeOutput(job, to, 'media')
    expect((await readdir(to, { recursive: true })).toSorted()).toEqual([
      'hls',
      'hls/1.m4s',
      'hls/main.m3u8',
      'play.mp4',
      'w480.webp',
    ])
  })

  test.each(['symlink', 'hard link', 'folder'])('is refused when it is a %s', async (how) => {
    const [job, to] = [await makeJobFolder(folder), path.join(folder, how)]
    const secret = path.join(folder, `secret ${how}`)
    await writeFile(secret, 'secret')
    await mkdir(to)
    const file = `${job}/out/play.mp4`
    if (how === 'symlink') await symlink(secret, file)
    else if (how === 'hard link') await link(secret, file)
    else await mkdir(file)
    await expect(takeOutput(job, to, 'media')).rejects.toThrow('not a regular file')
    expect(await readdir(to)).toEqual([])
  })
})

describe('an SVG that refers to other files', () => {
  const red = () => sharp({ create: { width: 64, height: 64, channels: 3, background: '#f00' } }).png()
  test.each(['image', 'use', 'feImage', 'style', 'entity', 'xi:include'])(
    'does not show them: %s',
    async (how) => {
      const secret = path.join(folder, 'secret.png')
      await writeFile(secret, await red().toBuffer())
      await writeFile(
        path.join(folder, 'secret.svg'),
        '<svg xmlns="http://www.w3.org/2000/svg" id="a" width="64" height="64"><rect width="64" height="64" fill="red"/></svg>',
      )
      const parts: Record<string, string> = {
        image: `<image href="file://${secret}" width="64" height="64"/><image xlink:href="secret.png" width="64" height="64"/>`,
        use: `<use href="file://${folder}/secret.svg#a"/><use xlink:href="secret.svg#a"/>`,
        feImage: `<filter id="f"><feImage href="file://${secret}"/></filter><rect width="64" height="64" filter="url(#f)"/>`,
        style: `<style>@import url("file://${secret}"); rect { fill: url("file://${folder}/secret.svg#a") }</style><rect width="64" height="64" fill="white"/>`,
        entity: `<text>&secret;</text>`,
        'xi:include': `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file://${folder}/secret.svg"/>`,
      }
      const type = how === 'entity' ? `<!DOCTYPE svg [<!ENTITY secret SYSTEM "file://${secret}">]>` : ''
      const text = `<?xml version="1.0"?>${type}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="64" height="64">${parts[how]}</svg>`
      const input = path.join(folder, 'a.svg')
      await writeFile(input, text)
      // Without a sandbox: the decoder itself must not read them.
      const maker = openMediaMaker({ sandbox: 'none', scratch: folder })
      const output = path.join(folder, `drawn ${how}`)
      await mkdir(output)
      const answer = await maker.make({
        kind: 'image',
        mime: 'image/svg+xml',
        input,
        output,
        thumbnail: undefined,
      })
      maker.close()
      if (answer.is === 'refused') return expect(answer.failure).toBe('unreadable')
      const drawn = sharp(path.join(output, 'w240.webp')).flatten({ background: '#fff' })
      const { channels } = await sharp(await drawn.png().toBuffer()).stats()
      // Pure red would have no green.
      return expect(channels[1]?.min).toBeGreaterThan(128)
    },
  )
})

test('a refusing maker refuses with a reason, and changes no renditions', async () => {
  const task = {
    kind: 'image',
    mime: 'image/png',
    input: '/none',
    output: '/none',
    thumbnail: undefined,
  } as const
  expect(await refusingMediaMaker.make(task)).toEqual({ is: 'refused', failure: 'no_sandbox' })
  const ladder = { kind: 'ladder', input: '/none', main: '/none', output: '/none' } as const
  expect(await refusingMediaMaker.makeLadder(ladder)).toEqual({ is: 'ladder', steps: [] })
})
