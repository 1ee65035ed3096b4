using Gateway.Codec.Pooling;
using Gateway.Codec.Types;
using Gateway.Testing;
using Gateway.Transport.Conversation;

namespace Gateway.Transport.Tests.Support;

/// <summary>Keeps what arrives; may echo it.</summary>
internal sealed class RecordingHandler : IChannelHandler
{
    private readonly System.Threading.Channels.Channel<(uint RequestId, byte[] Message)> _messages =
        System.Threading.Channels.Channel.CreateUnbounded<(uint, byte[])>();

    private readonly TaskCompletionSource<SecureChannel> _opened =
        new(TaskCreationOptions.RunContinuationsAsynchronously);

    private readonly TaskCompletionSource _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public bool Echo { get; init; }

    /// <summary>Called for each message before it is kept.</summary>
    public Action<SecureChannel, uint>? Intercept { get; set; }

    public SecureChannel? Channel { get; private set; }

    public Task<SecureChannel> Opened => _opened.Task;

    public Task Closed => _closed.Task;

    public List<StatusCode> Closes { get; } = [];

    public List<(uint RequestId, StatusCode Error)> Aborts { get; } = [];

    public int Count { get; private set; }

    public int Renewals { get; private set; }

    public void OnOpened(SecureChannel channel)
    {
        Channel = channel;
        _opened.TrySetResult(channel);
    }

    public void OnRenewed(SecureChannel channel)
    {
        Assert.Same(Channel, channel);
        Renewals++;
    }

    public void OnMessage(SecureChannel channel, uint requestId, ReadOnlySpan<byte> message)
    {
        Count++;
        Intercept?.Invoke(channel, requestId);
        _messages.Writer.TryWrite((requestId, message.ToArray()));
        if (!Echo)
            return;
        using var buffer = new PooledBuffer(MessageLayout.Headroom);
        buffer.Write(message);
        channel.Send(buffer, requestId);
    }

    public void OnMessageAborted(SecureChannel channel, uint requestId, StatusCode error) =>
        Aborts.Add((requestId, error));

    public void OnClosed(SecureChannel channel, StatusCode reason)
    {
        Closes.Add(reason);
        _closed.TrySetResult();
    }

    public async Task<(uint RequestId, byte[] Message)> NextAsync() =>
        await _messages.Reader.ReadAsync().AsTask().WaitAsync(Patience.Limit);
}
