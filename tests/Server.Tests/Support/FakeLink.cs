using System.Collections.Concurrent;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;
using Gateway.Testing;
using Gateway.Transport.Conversation;

namespace Gateway.Server.Tests.Support;

/// <summary>A connection that keeps what is sent on it.</summary>
internal sealed class FakeLink : IChannelLink
{
    private readonly ConcurrentDictionary<uint, TaskCompletionSource<byte[]>> _answers = new();

    public bool IsOpen { get; set; } = true;

    public int MaxResponseSizeBytes { get; set; }

    public bool HasActiveSession { get; private set; }

    public int Sends { get; private set; }

    public int Flushes { get; private set; }

    /// <summary>The last request that was not done with when its message had been handed over.</summary>
    public IUnfinishedRequest? Unfinished { get; private set; }

    /// <summary>For allocation tests: nothing is kept.</summary>
    public bool Discards { get; set; }

    public StatusCode Send(PooledBuffer message, uint requestId)
    {
        if (!IsOpen)
            return StatusCodes.BadSecureChannelClosed;
        Sends++;
        if (!Discards && !Source(requestId).TrySetResult(message.WrittenSpan.ToArray()))
            throw new InvalidOperationException("Request " + requestId + " was answered twice.");
        return StatusCode.Good;
    }

    public StatusCode SendAbort(uint requestId, StatusCode error, string reason) => StatusCode.Good;

    /// <summary>A fault of ours.</summary>
    public bool FailsToFlush { get; set; }

    public void Flush()
    {
        Flushes++;
        if (FailsToFlush)
            throw new InsufficientMemoryException();
    }

    public void WaitFor(IUnfinishedRequest request) => Unfinished = request;

    public void Abort(StatusCode reason, string detail) => IsOpen = false;

    public void Close() => IsOpen = false;

    public void SetActiveSession(bool active) => HasActiveSession = active;

    public bool IsAnswered(uint requestId) => Source(requestId).Task.IsCompleted;

    public Task<byte[]> AnswerAsync(uint requestId) => Source(requestId).Task.WaitAsync(Patience.Limit);

    private TaskCompletionSource<byte[]> Source(uint requestId) => _answers.GetOrAdd(
        requestId, static _ => new TaskCompletionSource<byte[]>(TaskCreationOptions.RunContinuationsAsynchronously));
}
