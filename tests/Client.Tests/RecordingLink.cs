using Gateway.Codec.Pooling;
using Gateway.Codec.Types;
using Gateway.Transport.Conversation;

namespace Gateway.Client.Tests;

/// <summary>A channel's other end: keeps what was sent.</summary>
internal sealed class RecordingLink : IChannelLink
{
    public List<(uint RequestId, byte[] Message)> Sent { get; } = [];

    /// <summary>One for each message, for what follows on another thread.</summary>
    public SemaphoreSlim Arrivals { get; } = new(0);

    public int Flushes { get; private set; }

    public StatusCode Refusal { get; set; }

    public StatusCode AbortReason { get; private set; }

    public bool IsOpen { get; private set; } = true;

    public int MaxResponseSizeBytes => int.MaxValue;

    public StatusCode Send(PooledBuffer message, uint requestId)
    {
        if (Refusal.IsBad)
            return Refusal;
        Sent.Add((requestId, message.WrittenSpan.ToArray()));
        Arrivals.Release();
        return Refusal;
    }

    public StatusCode SendAbort(uint requestId, StatusCode error, string reason) => default;

    public void Flush() => Flushes++;

    public void Abort(StatusCode reason, string detail)
    {
        AbortReason = reason;
        IsOpen = false;
    }

    public void Close() => IsOpen = false;

    public void SetActiveSession(bool active)
    {
    }
}
