// The data folder has one process, whatever namespaces and hosts others are in.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { FolderInUse } from './folder-in-use.ts'
import { lockFolder } from './folder-lock.ts'
import { takeOwnership } from './folder-owner.ts'

let folder: string
const processes: ChildProcess[] = []
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'todoke-lock-'))
})
afterEach(async () => {
  for (const it of processes.splice(0)) it.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

const program = `
  const { lockFolder } = await import(${JSON.stringify(path.join(import.meta.dirname, 'folder-lock.ts'))})
  try {
    await lockFolder(process.argv[1])
    console.log('locked')
    setInterval(() => undefined, 1000)
  } catch (error) {
    console.log(error.name)
  }`

/** Starts a process that locks the folder. @param prefix a command that starts it, such as one that makes namespaces */
function startLocking(prefix: readonly string[] = []) {
  const [command, ...args] = [...prefix, process.execPath, '--input-type=module', '--eval', program, folder]
  const child = spawn(String(command), args, { stdio: ['ignore', 'pipe', 'inherit'] })
  processes.push(child)
  const said = once(child.stdout, 'data').then(([data]) => String(data).trim())
  const killed = async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return { said, killed }
}

const namespaces = ['unshare', '--user', '--map-root-user', '--net', '--pid', '--fork', '--kill-child']

async function hasNamespaces(): Promise<boolean> {
  const [code] = (await once(spawn('unshare', [...namespaces.slice(1), 'true']), 'exit').catch(() => [
    1,
  ])) as [number]
  return code === 0
}

describe('the lock of a data folder', () => {
  test('refuses a second one of the same process until it is released', async () => {
    const release = await lockFolder(folder)
    await expect(lockFolder(folder)).rejects.toThrow(FolderInUse)
    await expect(lockFolder(folder)).rejects.toThrow(FolderInUse)
    await release()
    await (
      await lockFolder(folder)
    )()
    expect(await readdir(folder)).toEqual(['folder.lock'])
  })

  test('ends with a process that is killed', async () => {
    const first = startLocking()
    expect(await first.said).toBe('locked')
    expect(await startLocking().said).toBe('FolderInUse')
    await first.killed()
    expect(await startLocking().said).toBe('locked')
  })

  test('of two processes that start at once after a kill, one has it', async () => {
    const first = startLocking()
    await first.said
    await first.killed()
    const both = [startLocking(), startLocking()]
    const said = await Promise.all(both.map((it) => it.said))
    expect(said.toSorted()).toEqual(['FolderInUse', 'locked'])
  })

  test('is seen from other namespaces of networks and processes, as those of a second container', async ({
    skip,
  }) => {
    if (!(await hasNamespaces())) skip('unshare makes no namespaces here')
    expect(await startLocking(namespaces).said).toBe('locked')
    expect(await startLocking(namespaces).said).toBe('FolderInUse')
    expect(await startLocking().said).toBe('FolderInUse')
  })

  test('works under a path of 300 bytes, with signs of every kind', async () => {
    const long = path.join(folder, 'とどけ'.repeat(10), 'a b?c#d%2e', 'x'.repeat(180))
    const release = await lockFolder(long)
    await expect(lockFolder(long)).rejects.toThrow(FolderInUse)
    await release()
  })

  test('a folder that cannot be made says EACCES, ENOTDIR or EROFS', async () => {
    await writeFile(path.join(folder, 'file'), '')
    await expect(lockFolder(path.join(folder, 'file', 'data'))).rejects.toMatchObject({ code: 'ENOTDIR' })
  })
})

const beatMs = 20
const neverLost = (error: Error) => {
  throw error
}

describe('a data folder on a file system that hosts share', () => {
  test('is refused while the file of another owner changes, and free at once after an orderly end', async () => {
    const release = await takeOwnership(folder, { beatMs, lost: neverLost })
    await expect(takeOwnership(folder, { beatMs, lost: neverLost })).rejects.toThrow(FolderInUse)
    await release()
    expect(await readdir(folder)).toEqual([])
  })

  test('is free after an owner that was killed', async () => {
    await writeFile(path.join(folder, 'folder.owner'), 'an earlier one 7\n')
    const release = await takeOwnership(folder, { beatMs, lost: neverLost })
    expect(await readFile(path.join(folder, 'folder.owner'), 'utf8')).not.toContain('an earlier one')
    await release()
  })

  test('of eight that take it at once after a kill, one has it', async () => {
    await writeFile(path.join(folder, 'folder.owner'), 'an earlier one 7\n')
    const all = await Promise.allSettled(
      Array.from({ length: 8 }, () => takeOwnership(folder, { beatMs, lost: () => undefined })),
    )
    expect(all.filter((it) => it.status === 'fulfilled')).toHaveLength(1)
    for (const it of all) if (it.status === 'fulfilled') await it.value()
  })

  test('an owner whose file another one has written is told so, and leaves that file', async () => {
    const { promise, resolve } = Promise.withResolvers<Error>()
    const release = await takeOwnership(folder, { beatMs, lost: resolve })
    const file = path.join(folder, 'folder.owner')
    await writeFile(file, 'another one 1\n')
    expect(await promise).toBeInstanceOf(FolderInUse)
    await release()
    expect(await readFile(file, 'utf8')).toBe('another one 1\n')
  })

  test('an owner that cannot write its file is told that it may have lost the folder', async () => {
    const { promise, resolve } = Promise.withResolvers<Error>()
    const release = await takeOwnership(folder, { beatMs, lost: resolve })
    const file = path.join(folder, 'folder.owner')
    await rm(file)
    await mkdir(file)
    expect(await promise).toBeInstanceOf(FolderInUse)
    await rm(file, { recursive: true })
    await release()
  })

  test('the lock keeps an owner there alone', async () => {
    const release = await lockFolder(folder, { isShared: () => false })
    expect(await readdir(folder)).toEqual(['folder.lock'])
    await release()
  })
})
