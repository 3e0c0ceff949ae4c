// A process of its own for files people sent: whatever a decoder does, the server lives on.
import { constants, setPriority } from 'node:os'
import { endFfmpeg } from './ffmpeg.ts'
import { makePicture } from './picture.ts'
import { type MediaAnswer, type MediaTask, Refused } from './task.ts'
import { makeVideo } from './video.ts'

/** Resident memory at which this process gives itself up, bytes. */
const maxMemory = Number(process.argv[2])

async function answer(task: MediaTask): Promise<MediaAnswer> {
  try {
    return { is: 'made', media: task.kind === 'image' ? await makePicture(task) : await makeVideo(task) }
  } catch (error) {
    if (error instanceof Refused) return { is: 'refused', failure: error.failure }
    throw error
  }
}

function end(code: number): never {
  endFfmpeg()
  process.exit(code)
}

setInterval(() => {
  if (process.memoryUsage.rss() > maxMemory) end(3)
}, 100).unref()

// People who read and write come before people whose video is made ready.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

process.on('disconnect', () => end(0))
process.on('message', (task: MediaTask) => {
  answer(task).then(
    (it) => process.send?.(it),
    (error: unknown) => {
      console.error(error)
      end(1)
    },
  )
})
