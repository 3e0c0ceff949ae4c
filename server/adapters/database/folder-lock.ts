// Locks the data folder for one process, since two on one PGlite would lose rows.
import { createHash } from 'node:crypto'
import { mkdir, open, readFile, realpath, rm } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'

export class FolderInUse extends Error {
  constructor(folder: string) {
    super(
      `データフォルダー ${folder} はすでに別のプロセスが使っています。そちらを終了してから起動してください。`,
    )
    this.name = 'FolderInUse'
  }
}

/**
 * Locks a folder for this process; the lock ends with the process.
 * @returns a function that releases it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true })
  const real = await realpath(folder)
  return process.platform === 'linux' ? lockBySocket(real) : lockByFile(real)
}

function lockBySocket(folder: string): Promise<() => Promise<void>> {
  const name = `\0todoke-${createHash('sha256').update(folder).digest('hex').slice(0, 40)}`
  const server = net.createServer((socket) => socket.destroy())
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new FolderInUse(folder) : error),
    )
    server.listen(name, () => {
      server.unref()
      resolve(() => new Promise((done) => server.close(() => done())))
    })
  })
}

async function lockByFile(folder: string): Promise<() => Promise<void>> {
  const file = path.join(folder, 'process.lock')
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const handle = await open(file, 'wx')
      await handle.writeFile(String(process.pid))
      await handle.close()
      return () => rm(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const owner = Number(await readFile(file, 'utf8').catch(() => ''))
      if (owner > 0 && isAlive(owner)) throw new FolderInUse(folder)
      await rm(file, { force: true })
    }
  }
  throw new FolderInUse(folder)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
