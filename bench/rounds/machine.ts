// How fast and how busy the machine is, by a fixed loop of the processor.
import { availableParallelism, loadavg } from 'node:os'
import type { Machine } from './result.ts'
import { medianOf, rounded } from './statistics.ts'

/** Steps of the loop: about 0.2 s on a core of 2026. A change makes earlier results incomparable. */
const STEPS = 100_000_000
const TIMES = 5

/** Steps of a 32-bit xorshift generator, which need the core and no memory. */
function loop(): number {
  let bits = 1
  for (let n = 0; n < STEPS; n++) {
    bits ^= bits << 13
    bits ^= bits >>> 17
    bits ^= bits << 5
  }
  return bits
}

/** Times the loop, medians of five after one that compiles it. */
export function readMachine(): Machine {
  const load = loadavg()[0] ?? 0
  const [elapsed, used]: [number[], number[]] = [[], []]
  loop()
  for (let n = 0; n < TIMES; n++) {
    const [began, before] = [performance.now(), process.cpuUsage()]
    loop()
    elapsed.push(performance.now() - began)
    const { user, system } = process.cpuUsage(before)
    used.push((user + system) / 1000)
  }
  return { loop: rounded(medianOf(elapsed)), processor: rounded(medianOf(used)), load: rounded(load) }
}

/** Number of processes that can run at once. */
export const cores = availableParallelism
