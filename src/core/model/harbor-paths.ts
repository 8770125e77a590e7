/** Where Harbor looks for the reward; the first that is there counts (harbor-run.md). */
export const rewardFiles = ['/logs/verifier/reward.json', '/logs/verifier/reward.txt'] as const;

export function isRewardFile(path: string): boolean {
  return rewardFiles.some((file) => file === path);
}
