// Changes valid files at random by a seed, and converts them in sandboxed media processes.
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { defined } from '#contract/testing/defined.ts'
import { createRandom } from '#contract/testing/random.ts'
import { type Mime, sniffed } from '#contract/kinds/kind.ts'
import { makeJobFolder, removeJobFolder } from '#server/adapters/media/job-folder.ts'
import { copyWithin } from '#server/adapters/media/copying.ts'
import { type MediaProcess, startMediaProcess, TimedOut } from '#server/adapters/media/media-process.ts'
import { sniff } from '#server/adapters/files/sniff.ts'

export interface FuzzCounts {
  files: number
  /** Files that are still of an accepted kind. */
  recognised: number
  made: number
  refused: number
  /** The media process ended with an error or by a signal; the next file had a new one. */
  died: number
  /** The process was ended because the file took too long. */
  late: number
  /** Files in whose output bytes of the planted file were found. */
  leaks: number
}

export interface FuzzRun {
  readonly mime: Mime
  readonly seed: Buffer
  /** Number of the first file, and number of files. */
  readonly from: number
  readonly count: number
}

/** Files of one media process: more than in the product, which starts one for each file. */
const BATCH = 500
/** Time limit of one file, ms, and of copying a video's packets, without the part for its size. */
const TIMEOUT = 4000
const COPY_BASE = 2500
const MEMORY = 2 * 1024 * 1024 * 1024
/** Bytes that only the planted file contains. */
const MARKER = 'todoke-planted-8f1c2e7d-never-in-an-output'

const lengths = [0, 1, 7, 8, 255, 65_535, 0x7fffffff, 0x80000000, 0xfffffff8, 0xffffffff]

type Change = (
  bytes: Buffer,
  at: number,
  below: (limit: number) => number,
  names: readonly string[],
) => Buffer

const changes: readonly Change[] = [
  (bytes, at, below) => {
    bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8))
    return bytes
  },
  (bytes, at, below) => {
    bytes[at] = below(256)
    return bytes
  },
  (bytes, at, below) => {
    if (at + 4 <= bytes.length) bytes.writeUInt32BE(defined(lengths[below(lengths.length)]), at)
    return bytes
  },
  (bytes, at, below) => {
    if (at + 4 <= bytes.length) bytes.writeUInt32LE(defined(lengths[below(lengths.length)]), at)
    return bytes
  },
  (bytes, at, below) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(64))]),
  (bytes, at, below) => {
    const from = below(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(from, from + below(256)), bytes.subarray(at)])
  },
  (bytes, at) => bytes.subarray(0, Math.max(16, at)),
  (bytes, at, below, names) => {
    const name = Buffer.from(defined(names[below(names.length)]))
    return Buffer.concat([bytes.subarray(0, at), name, bytes.subarray(at)])
  },
  (bytes, at, below, names) => {
    Buffer.from(defined(names[below(names.length)])).copy(bytes, at)
    return bytes
  },
]

/** One to eight changes, half of them in the first 512 bytes. @param names texts that name the planted file */
export function mutated(seed: Buffer, number: number, names: readonly string[]): Buffer {
  const { below } = createRandom(number)
  let bytes: Buffer = Buffer.from(seed)
  for (let left = 1 + below(8); left > 0; left--) {
    const at = below(Math.max(1, below(2) === 0 ? Math.min(512, bytes.length) : bytes.length))
    const change = changes[below(changes.length)]
    if (change) bytes = Buffer.from(change(bytes, at, below, names))
  }
  return bytes
}

/** Texts that make programs open the planted file if they have access. */
const namesOf = (planted: string): string[] => [
  `file://${planted}`,
  planted,
  `../../${path.basename(planted)}\0`,
  `#EXTM3U\n#EXTINF:1,\nfile://${planted}\n`,
  `ffconcat version 1.0\nfile '${planted}'\n`,
  `<MPD><Period><BaseURL>file://${planted}</BaseURL></Period></MPD>`,
  `<image href="file://${planted}"/>`,
]

/** PATH of the media processes: `FFMPEG_FOLDER` first, where another build of ffmpeg is. */
export function fuzzPath(): string {
  const { FFMPEG_FOLDER, PATH = '' } = process.env
  return FFMPEG_FOLDER ? `${FFMPEG_FOLDER}:${PATH}` : PATH
}

/** Runs changed files of one kind; a failure of a decoder is counted, not thrown. */
export async function fuzz({ mime, seed, from, count }: FuzzRun): Promise<FuzzCounts> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'todoke-fuzz-'))
  const planted = path.join(scratch, 'planted')
  await writeFile(planted, MARKER.repeat(50))
  const counts = { files: 0, recognised: 0, made: 0, refused: 0, died: 0, late: 0, leaks: 0 }
  try {
    for (let first = from; first < from + count; first += BATCH) {
      const numbers = Array.from({ length: Math.min(BATCH, from + count - first) }, (_, i) => first + i)
      const files = numbers.map((it) => mutated(seed, it, namesOf(planted)))
      await runBatch({ mime, files, scratch, counts })
    }
    return counts
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

interface Batch {
  readonly mime: Mime
  readonly files: readonly Buffer[]
  readonly scratch: string
  readonly counts: FuzzCounts
}

async function runBatch({ mime, files, scratch, counts }: Batch): Promise<void> {
  const job = await makeJobFolder(scratch)
  const limits = { path: fuzzPath(), memory: MEMORY, cpu: 600, hidden: [] }
  const start = () => startMediaProcess({ sandbox: 'bubblewrap', job, ...limits })
  let child: MediaProcess | undefined
  for (const [i, bytes] of files.entries()) {
    const [input, output] = [`${job}/in/${i}`, `${job}/out/${i}`]
    await writeFile(input, bytes)
    await mkdir(output)
    counts.files += 1
    if (await sniff(input)) counts.recognised += 1
    const alive = async (): Promise<MediaProcess> => {
      if (child?.isAlive()) return child
      await child?.end()
      return (child = start())
    }
    counts[await outcomeOf(alive, { mime, size: bytes.length, i })] += 1
    // The output may contain a name from the input; only bytes of the planted file are a leak.
    if (await hasMarker(output)) counts.leaks += 1
  }
  await child?.end()
  await removeJobFolder(job)
}

interface Numbered {
  readonly mime: Mime
  readonly size: number
  readonly i: number
}

/** Converts a file as the product does: if it cannot be copied in time, in another process. */
async function outcomeOf(alive: () => Promise<MediaProcess>, { mime, size, i }: Numbered) {
  const { kind } = sniffed(mime)
  const task = { kind, mime, input: `/job/in/${i}`, output: `/job/out/${i}`, thumbnail: undefined }
  try {
    const copied = kind === 'video' ? await copyWithin(await alive(), task, size, COPY_BASE) : undefined
    const answer = (await (await alive()).request({ ...task, copied }, TIMEOUT)) as { is: 'made' | 'refused' }
    return answer.is
  } catch (error) {
    return error instanceof TimedOut ? 'late' : 'died'
  }
}

async function hasMarker(folder: string): Promise<boolean> {
  for (const name of await readdir(folder, { recursive: true })) {
    const file = path.join(folder, name)
    if ((await stat(file).catch(() => undefined))?.isFile() && (await readFile(file)).includes(MARKER))
      return true
  }
  return false
}
