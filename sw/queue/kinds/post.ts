// Performs the steps of a post: its files, the post itself and its release.
import { type PostJob, titleOf } from '#device/jobs/job-rows.ts'
import type { Kind, StepContext } from '#sw/queue/kind.ts'
import { apply, nextStep, type PostEvent, type PostStep } from '#sw/queue/machines/post.ts'
import type { PostApi } from '#sw/queue/ports.ts'
import { showNotice } from '#sw/queue/show-notice.ts'
import { isRefusal, performFileStep } from './files.ts'

export const createPostKind = (api: PostApi): Kind<PostJob, PostStep, PostEvent> => ({
  is: (job): job is PostJob => job.kind === 'post',
  nextStep,
  apply,
  perform: (job, step, context) => perform(api, job, step, context),
  failureNotice: (job) => ({ is: 'failed', jobId: job.id, title: titleOf(job) }),
})

type Context = StepContext<PostJob, PostEvent>

async function perform(
  api: PostApi,
  job: PostJob,
  step: Exclude<PostStep, { do: 'wait' }>,
  context: Context,
): Promise<void> {
  const { services } = context
  switch (step.do) {
    case 'send':
    case 'discard':
      return performFileStep(api, job, step, context)
    case 'addPost':
      return add(api, job, context)
    case 'release':
      return release(api, job, step.postId, context)
    case 'withdraw':
      return withdraw(api, job, step.postId, context)
    case 'finish':
      await services.store.finish(job, step.postId, step.at)
      return showNotice(services, {
        is: 'published',
        jobId: job.id,
        title: titleOf(job),
        postId: step.postId,
      })
    case 'drop':
      return services.store.drop(job.id)
    default:
      step satisfies never
  }
}

async function add(api: PostApi, job: PostJob, { signal, record, conclude }: Context): Promise<void> {
  // From here on the server may have the post whether or not its answer arrives.
  const current = await record({ type: 'requested' })
  if (current?.stage.is !== 'requested') return
  const end = await api.addPost(job, signal)
  if (end.is === 'ok') await record({ type: 'postAdded', ...end.value })
  // Another copy of this device withdrew the post.
  else if (end.is === 'gone') await record({ type: 'refused', code: 'gone' })
  else await conclude(end)
}

async function release(api: PostApi, job: PostJob, postId: string, context: Context): Promise<void> {
  const { services, signal, record } = context
  const end = await api.release(job, postId, signal)
  if (end.is === 'ok') await record({ type: 'released', at: services.clock.now() })
  else if (end.is === 'gone') await record({ type: 'postGone' })
  else await context.conclude(end)
}

async function withdraw(api: PostApi, job: PostJob, postId: string, context: Context): Promise<void> {
  const { services, signal, record } = context
  const end = await api.withdraw(job, postId, signal)
  if (end.is === 'ok' || end.is === 'gone') await record({ type: 'withdrawn' })
  else if (end.is === 'refused' && end.code === 'conflict')
    await record({ type: 'withdrawDenied', at: services.clock.now() })
  else if (isRefusal(end)) await record({ type: 'withdrawRefused' })
  else await context.conclude(end)
}
