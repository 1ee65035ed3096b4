using Gateway.Client;
using Gateway.Codec.Types;
using Gateway.Transport.Conversation;

namespace Gateway.Loadtest.Clients;

/// <summary>Channels without sessions.</summary>
internal sealed class ChannelPool(RunContext context) : IChannelHandler
{
    private readonly Lock _lock = new();
    private readonly List<SecureChannel> _channels = [];
    private int _lost;

    public int Opened => _channels.Count;

    public int Failed { get; private set; }

    /// <summary>Closed by the server, or by the network.</summary>
    public int Lost => Volatile.Read(ref _lost);

    public string FirstRefusal { get; private set; } = string.Empty;

    public async Task OpenAsync(int count)
    {
        context.Progress.Begin("opening channels", count, () => Opened);
        var options = new ParallelOptions
        {
            MaxDegreeOfParallelism = context.Options.Concurrency,
            CancellationToken = context.Cancellation,
        };
        await Parallel.ForAsync(0, count, options, async (_, cancellation) => await OpenOneAsync(cancellation));
        if (Opened == 0)
            throw new InvalidOperationException($"no channel could be opened: {FirstRefusal}");
    }

    public void Close()
    {
        foreach (var channel in _channels)
            channel.Close();
    }

    public void OnOpened(SecureChannel channel)
    {
    }

    public void OnMessage(SecureChannel channel, uint requestId, ReadOnlySpan<byte> message)
    {
    }

    public void OnMessageAborted(SecureChannel channel, uint requestId, StatusCode error)
    {
    }

    public void OnClosed(SecureChannel channel, StatusCode reason) => Interlocked.Increment(ref _lost);

    private async Task OpenOneAsync(CancellationToken cancellation)
    {
        try
        {
            var channel = await context.Sessions.OpenChannelAsync(this, cancellation);
            lock (_lock)
                _channels.Add(channel);
        }
        catch (ServiceException exception)
        {
            lock (_lock)
            {
                if (Failed++ == 0)
                    FirstRefusal = exception.Message;
            }
        }
    }
}
