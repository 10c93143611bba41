// An option is found as it is written: to the search a leading dash means "without this word", and a dash ends a word.
const post = Worker.prototype.postMessage;
const words = (option) => option.split(/-+/).filter(Boolean).map((word) => `+${word}`).join(" ");
Worker.prototype.postMessage = function (message, ...more) {
  if (typeof message?.data === "string") {
    message = { ...message, data: message.data.replace(/(?<!\S)-+\w[\w-]*/g, words) };
  }
  return post.call(this, message, ...more);
};
