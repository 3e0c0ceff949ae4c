// A process of its own for files people sent: whatever a decoder does, the server lives on.
import { constants, setPriority } from 'node:os'
import { endFfmpeg } from './ffmpeg.ts'
import { makeLadder, wantsLadder } from './ladder.ts'
import { makePicture } from './picture.ts'
import { type LadderMade, type LadderTask, type MediaAnswer, type MediaTask, Refused } from './task.ts'
import { makeVideo } from './video.ts'

/** Resident memory at which this process gives itself up, bytes. */
const maxMemory = Number(process.argv[2])

async function answer(task: MediaTask | LadderTask): Promise<MediaAnswer | LadderMade> {
  try {
    switch (task.kind) {
      case 'image':
        return { is: 'made', media: await makePicture(task) }
      case 'video': {
        const media = await makeVideo(task)
        return { is: 'made', media, ladder: await wantsLadder(media) }
      }
      case 'ladder':
        return { is: 'ladder', steps: await makeLadder(task) }
      default:
        return task satisfies never
    }
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
process.on('message', (task: MediaTask | LadderTask) => {
  answer(task).then(
    (it) => process.send?.(it),
    (error: unknown) => {
      console.error(error)
      end(1)
    },
  )
})
