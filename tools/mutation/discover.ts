// Lists the mutants of files, without a run of their tests.
import { spawn } from 'node:child_process'
import type { Mutant } from './report.ts'

/** Mutants by file, in their order in the file. Their status is not known. */
export type Discovered = Readonly<Record<string, { readonly mutants: readonly Omit<Mutant, 'status'>[] }>>

interface Answer {
  readonly id?: number
  readonly result?: { readonly files?: Discovered }
  readonly error?: { readonly message: string }
}

/**
 * Asks StrykerJS for the mutants of a configuration, over its protocol for editors (JSON-RPC on its standard streams).
 * @param config file of the configuration, whose `mutate` says which files
 * @throws when StrykerJS refuses the configuration, or ends before its answer
 */
export async function discover(config: string): Promise<Discovered> {
  const child = spawn('stryker', ['serve', 'stdio'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ask = (id: number, method: string, params: object): void => {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  ask(1, 'configure', { configFilePath: config })
  ask(2, 'discover', {})
  try {
    let received = Buffer.alloc(0)
    for await (const part of child.stdout) {
      received = Buffer.concat([received, part as Buffer])
      for (let taken = take(received); taken; taken = take(received)) {
        received = taken.rest
        if (taken.answer.error) throw new Error(`StrykerJS: ${taken.answer.error.message}`)
        if (taken.answer.result?.files) return taken.answer.result.files
      }
    }
    throw new Error('StrykerJS ended before it listed the mutants')
  } finally {
    child.kill()
  }
}

/** Takes the first whole message from what was received; undefined while it is not whole. */
function take(received: Buffer): { answer: Answer; rest: Buffer<ArrayBuffer> } | undefined {
  const head = received.indexOf('\r\n\r\n')
  const length = Number(/Content-Length: *(\d+)/i.exec(received.toString('utf8', 0, head))?.[1])
  if (head < 0 || received.length < head + 4 + length) return undefined
  const body = received.toString('utf8', head + 4, head + 4 + length)
  return { answer: JSON.parse(body) as Answer, rest: Buffer.from(received.subarray(head + 4 + length)) }
}
