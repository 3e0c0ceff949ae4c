// A process of its own for files people sent: whatever a decoder does, the server lives on.
import { makePicture } from './picture.ts'
import { type MediaAnswer, type MediaTask, Refused } from './task.ts'
import { makeVideo } from './video.ts'

/** Resident memory at which this process gives itself up, bytes. */
const MAX_MEMORY = 1536 * 1024 * 1024

async function answer(task: MediaTask): Promise<MediaAnswer> {
  try {
    return { is: 'made', media: task.kind === 'image' ? await makePicture(task) : await makeVideo(task) }
  } catch (error) {
    if (error instanceof Refused) return { is: 'refused', reason: error.message }
    throw error
  }
}

setInterval(() => {
  if (process.memoryUsage.rss() > MAX_MEMORY) process.exit(3)
}, 100).unref()

process.on('disconnect', () => process.exit(0))
process.on('message', (task: MediaTask) => {
  answer(task).then(
    (it) => process.send?.(it),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
