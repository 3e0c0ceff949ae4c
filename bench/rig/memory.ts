// Memory (proportional set size) and processor time of a process and its descendants.
import { readdirSync, readFileSync, rmSync } from 'node:fs'

const SAMPLE_MS = 250
/** Time between two samples of processor times, ms. */
const SHORT_SAMPLE_MS = 50

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return '' // The process ended during the read.
  }
}

/** The ids of a process and its descendants. */
function processTree(root: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const fields = read(`/proc/${name}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ')
    parents.set(Number(name), Number(fields[1]))
  }
  const members = [root]
  for (const member of members)
    for (const [child, parent] of parents) if (parent === member) members.push(child)
  return members
}

/** Kernel clock ticks per second; constant in Linux. */
const TICKS = 100

/** Fields of `/proc/[pid]/stat` with processor times: own ones in user and kernel mode, then those of ended children. */
function processorTimes(pid: number): number[] {
  const fields = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')
  return fields.slice(11, 15).map((ticks) => (Number(ticks) * 1000) / TICKS)
}

const total = (all: readonly number[]) => all.reduce((before, it) => before + it, 0)

/** Processor time of a process and its descendants, including ended ones, ms. */
export const cpuOf = (root: number): number => total(processTree(root).flatMap(processorTimes))

/** Processor time of a process without its children, ms. */
export const ownCpuOf = (pid: number): number => total(processorTimes(pid).slice(0, 2))

/** Processor time of processes that may end at any time. */
export interface TreeClock {
  /** Of all descendants since the clock was opened, ms. */
  read(): number
  close(): void
}

/**
 * Adds up the times of the descendants of a process by samples: the times of one that a signal ends together with its
 * parent are in no other process. What a process uses after its last sample is missing.
 */
export function openTreeClock(root: number): TreeClock {
  const times = new Map<number, number>()
  const sample = (): void => {
    for (const pid of processTree(root).slice(1)) times.set(pid, Math.max(ownCpuOf(pid), times.get(pid) ?? 0))
  }
  sample()
  const before = total([...times.values()])
  const timer = setInterval(sample, SHORT_SAMPLE_MS)
  return {
    read() {
      sample()
      return total([...times.values()]) - before
    },
    close: () => clearInterval(timer),
  }
}

/** Proportional set size of a process and its descendants, bytes. */
export function pssOf(root: number): number {
  return processTree(root).reduce((sum, pid) => {
    const kilobytes = /^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? '0'
    return sum + Number(kilobytes) * 1024
  }, 0)
}

/** Samples the memory of a process during `work`. @returns the result and the peak above the start, bytes */
export async function peakDuring<T>(
  root: number,
  work: () => Promise<T>,
): Promise<{ result: T; peak: number }> {
  const idle = pssOf(root)
  let highest = idle
  const sample = (): void => {
    highest = Math.max(highest, pssOf(root))
  }
  const timer = setInterval(sample, SAMPLE_MS)
  try {
    const result = await work()
    sample()
    return { result, peak: highest - idle }
  } finally {
    clearInterval(timer)
  }
}

const fileOf = (pid: number | string) => `/tmp/todoke-bench-memory-${pid}`

/** Environment of a process of Node that collects its garbage at SIGUSR2, and writes what it uses then. No spaces. */
export const collecting = {
  NODE_OPTIONS: `--expose-gc --import=data:text/javascript,import{writeFileSync}from'node:fs';process.on('SIGUSR2',()=>{gc();gc({type:'major',flavor:'last-resort'});let{heapUsed,external}=process.memoryUsage();writeFileSync('${fileOf('')}'+process.pid,String(heapUsed+external))})`,
} as const

const COLLECTION_MS = 3000

/** The heap and the buffers of a process that was started with `collecting`, after a collection, bytes. */
export async function memoryOf(pid: number): Promise<number> {
  process.kill(pid, 'SIGUSR2')
  await new Promise((done) => setTimeout(done, COLLECTION_MS))
  const used = Number(read(fileOf(pid)))
  rmSync(fileOf(pid), { force: true })
  return used
}
