using System.Net;
using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Hosting;

/// <summary>The transport's log, rate-limited: floods are counted, not printed (R24). Peer text never reaches it other
/// than escaped and cut. Threads: any.</summary>
internal sealed partial class TransportLog(ILogger logger, TimeProvider time)
{
    private const int MaxEventsPerSecond = 20;

    private readonly Lock _lock = new();
    private long _windowStart;
    private int _inWindow;
    private long _suppressed;

    public void Opened(EndPoint? remote, string endpointUrl, string policy, string thumbprint, uint channelId)
    {
        if (logger.IsEnabled(LogLevel.Information) && TryTake())
            ChannelOpened(channelId, remote, Clean(endpointUrl), policy, thumbprint);
    }

    public void Closed(EndPoint? remote, string endpointUrl, string thumbprint, ChannelCloseReason reason,
        string detail)
    {
        var expected = reason is ChannelCloseReason.PeerClosed or ChannelCloseReason.LocalClosed
            or ChannelCloseReason.Shutdown;
        var level = expected ? LogLevel.Debug : LogLevel.Warning;
        if (!logger.IsEnabled(level) || !TryTake())
            return;
        if (expected)
            ChannelClosed(remote, Clean(endpointUrl), thumbprint, reason);
        else
            ChannelFailed(remote, Clean(endpointUrl), thumbprint, reason, Clean(detail));
    }

    public void Bug(EndPoint? remote, Exception exception)
    {
        if (TryTake())
            ConnectionBroke(exception, remote);
    }

    /// <summary>No control characters, at most 200 of the rest.</summary>
    private static string Clean(string text)
    {
        var cut = text.Length > 200 ? text[..200] : text;
        return string.Create(cut.Length, cut, static (span, source) =>
        {
            for (var i = 0; i < span.Length; i++)
                span[i] = char.IsControl(source[i]) ? '?' : source[i];
        });
    }

    private bool TryTake()
    {
        long suppressed;
        lock (_lock)
        {
            var now = time.GetTimestamp();
            if (time.GetElapsedTime(_windowStart, now) < TimeSpan.FromSeconds(1))
            {
                if (++_inWindow > MaxEventsPerSecond)
                {
                    _suppressed++;
                    return false;
                }

                return true;
            }

            _windowStart = now;
            _inWindow = 1;
            suppressed = _suppressed;
            _suppressed = 0;
        }

        if (suppressed > 0)
            EventsSuppressed(suppressed);
        return true;
    }
}
