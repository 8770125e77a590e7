export const rewardJson = '/logs/verifier/reward.json';
export const rewardText = '/logs/verifier/reward.txt';

/** Where Harbor looks for the reward; the first that is there counts (harbor-run.md). */
export const rewardFiles: readonly string[] = [rewardJson, rewardText];
