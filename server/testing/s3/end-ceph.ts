// Ends the Ceph node of a test run.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Ends the node in the folder of a run, if one was started. Each file `*.process` has the id of one of its processes. */
export function endCeph(parent: string): void {
  for (const it of globSync(path.join(parent, 'ceph', '*.process')))
    try {
      process.kill(Number(readFileSync(it, 'utf8')), 'SIGKILL')
    } catch {
      // It has ended.
    }
}
