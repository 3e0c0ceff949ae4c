// The sandbox where node_modules, or packages in it, are links.
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isInstalled } from '#server/testing/programs.ts'
import { coversOf, decoderPackages, packageFolders, withRealPaths } from './visible.ts'

const run = promisify(execFile)
const project = process.cwd()
const modules = path.join(project, 'node_modules')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'todoke-linked-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** A copy of the project's code, without packages. */
async function codeIn(name: string): Promise<string> {
  const copy = path.join(folder, name)
  for (const it of ['server/adapters', 'contract', 'package.json'])
    await cp(path.join(project, it), path.join(copy, it), { recursive: true })
  return copy
}

/** Tests the sandbox, and makes a picture in it, with the code of a folder. */
const tryIn = (code: string) => {
  const program = `
    const { trySandbox } = await import('${code}/server/adapters/media/sandbox/try-sandbox.ts')
    const { openMediaMaker } = await import('${code}/server/adapters/media/maker.ts')
    await trySandbox(process.env.PATH)
    const { mkdirSync, writeFileSync, readdirSync } = await import('node:fs')
    mkdirSync('${code}/out')
    writeFileSync('${code}/a.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    const maker = openMediaMaker({ sandbox: 'bubblewrap', scratch: '${code}' })
    const made = await maker.make({
      kind: 'image', mime: 'image/svg+xml', input: '${code}/a.svg', output: '${code}/out', thumbnail: undefined,
    })
    maker.close()
    console.log(made.is, readdirSync('${code}/out').length > 0)`
  return run(process.execPath, ['--input-type=module', '--eval', program], { cwd: code })
}

describe.skipIf(!isInstalled('bwrap'))('with bubblewrap', () => {
  test('works where node_modules is a link to a folder outside the project, with Node in it', async () => {
    const code = await codeIn('linked')
    await symlink(modules, path.join(code, 'node_modules'))
    expect((await tryIn(code)).stdout).toBe('made true\n')
  })

  test('works where each package is a link into a store', async () => {
    const code = await codeIn('store')
    await mkdir(path.join(code, 'node_modules'))
    for (const it of decoderPackages)
      await symlink(path.join(modules, it), path.join(code, 'node_modules', it))
    expect((await tryIn(code)).stdout).toBe('made true\n')
  })

  test('works where the packages are those of a folder above the project', async () => {
    await symlink(modules, path.join(folder, 'node_modules'))
    const code = await codeIn('below')
    expect((await tryIn(code)).stdout).toBe('made true\n')
    await rm(path.join(folder, 'node_modules'))
  })
})

test('a store is visible only as far as the program needs it', async () => {
  const at = (...names: string[]) => path.join(folder, 'pnpm', ...names)
  const made = async (name: string, dependencies: Record<string, string> = {}) => {
    const own = at('store', name, 'node_modules', name)
    await mkdir(own, { recursive: true })
    await writeFile(path.join(own, 'package.json'), JSON.stringify({ name, dependencies }))
    return own
  }
  const sharp = await made('sharp', { colour: '1' })
  const colour = await made('colour')
  await made('secret')
  await mkdir(at('project', 'node_modules'), { recursive: true })
  await symlink(sharp, at('project', 'node_modules', 'sharp'))
  await symlink(colour, at('store', 'sharp', 'node_modules', 'colour'))
  expect(packageFolders(at('project'), ['sharp', 'absent'])).toEqual([
    at('project', 'node_modules'),
    at('store', 'sharp', 'node_modules'),
    at('store', 'colour', 'node_modules'),
  ])
})

test('a link is shown by its path and its real path, and what is hidden is covered at both', async () => {
  const [real, link] = [path.join(folder, 'real'), path.join(folder, 'link')]
  await mkdir(path.join(real, 'data'), { recursive: true })
  await symlink(real, link)
  const visible = withRealPaths([link, path.join(folder, 'absent')])
  expect(visible).toEqual([link, real])
  expect(coversOf([path.join(link, 'data'), folder], visible)).toEqual([
    path.join(link, 'data'),
    path.join(real, 'data'),
  ])
})

test('the packages are those that the media program imports', async () => {
  const seen = new Set<string>()
  const packages = new Set<string>()
  const scan = async (file: string): Promise<void> => {
    if (seen.has(file)) return
    seen.add(file)
    const code = (await readFile(file, 'utf8')).replaceAll(/^import type [^;]*?from '[^']*'$/gm, '')
    for (const [, from = ''] of code.matchAll(/(?:from |import\()'([^']+)'/g)) {
      if (from.startsWith('node:')) continue
      if (from.startsWith('.')) await scan(path.resolve(path.dirname(file), from))
      else if (from.startsWith('#')) await scan(path.join(project, from.slice(1)))
      else packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? from)
    }
  }
  await scan(path.join(project, 'server/adapters/media/child.ts'))
  expect([...packages].toSorted()).toEqual(decoderPackages)
})
