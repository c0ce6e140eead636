/** Guest path of the folder that holds the model gateway's socket, where a sandbox has one. */
export const GATEWAY_FOLDER = '/featurearc/gateway';
