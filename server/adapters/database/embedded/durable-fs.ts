// PGlite's file system with fsync, and with the last words of PostgreSQL.
import fs from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

interface OpenStream {
  readonly nfd?: number
  readonly node: unknown
}

interface EmscriptenModule {
  readonly NODEFS: {
    readonly stream_ops: { fsync?: (stream: OpenStream) => number }
    realPath(node: unknown): string
  }
}

function syncStream(mod: EmscriptenModule, stream: OpenStream): number {
  if (stream.nfd !== undefined) {
    fs.fsyncSync(stream.nfd)
    return 0
  }
  const folder = fs.openSync(mod.NODEFS.realPath(stream.node), 'r')
  try {
    fs.fsyncSync(folder)
  } finally {
    fs.closeSync(folder)
  }
  return 0
}

/** Without fsync a power cut loses commits. */
export class DurableNodeFS extends NodeFS {
  readonly #said: string[]

  /** @param said gets what PostgreSQL says when it ends by itself, the last first: no error of PGlite has it */
  constructor(folder: string, said: string[] = []) {
    super(folder)
    this.#said = said
  }

  override async init(pg: PGlite, options: Parameters<NodeFS['init']>[1]): ReturnType<NodeFS['init']> {
    const ready = await super.init(pg, options)
    const addFsync = (mod: unknown) => {
      const module = mod as EmscriptenModule
      module.NODEFS.stream_ops.fsync = (stream) => syncStream(module, stream)
    }
    const earlier = ready.emscriptenOpts.preRun ?? []
    ready.emscriptenOpts.preRun = [...(Array.isArray(earlier) ? earlier : [earlier]), addFsync]
    ready.emscriptenOpts.printErr = (line: string) => {
      const end = /\b(?:FATAL|PANIC): +(.*)/.exec(line)?.[1]
      if (end !== undefined) this.#said.unshift(end)
    }
    return ready
  }
}
