using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Packets;

namespace Gateway.PubSub.Outputs;

/// <summary>A broker that refuses messages: over its quota, without its own backend, or reached as another one with
/// smaller limits. The messages are good and come again, after a pause that grows. One that is refused for a quarter of
/// an hour while it is the oldest is given up, so that it does not hold up all behind it for ever. Owner: the output.
/// Threads: the one that ends deliveries, and the one that begins them.</summary>
internal sealed class Refusals
{
    private const int MaxTries = 20;

    private static readonly TimeSpan FirstPause = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan LongestPause = TimeSpan.FromMinutes(1);

    private TimeSpan _pause = FirstPause;
    private long _oldest;
    private int _tries;
    private volatile bool _isPauseDue;
    private volatile string? _words;

    /// <summary>For people; null: the last message was taken.</summary>
    public string? Words => _words;

    /// <summary>Nothing more is sent before <see cref="TakePause"/>.</summary>
    public bool IsPauseDue => _isPauseDue;

    /// <summary>False: the message itself is to blame, or it has been refused often enough.</summary>
    /// <param name="sequence">Of the message.</param>
    /// <param name="result">Neither success nor the loss of the connection.</param>
    public bool MayComeAgain(long sequence, in MqttPublishResult result)
    {
        if (result.Outcome is not (MqttPublishOutcome.Refused or MqttPublishOutcome.TooLargeForBroker or
            MqttPublishOutcome.QosNotSupported) ||
            result.Reason is MqttReasonCode.TopicNameInvalid or MqttReasonCode.PayloadFormatInvalid)
            return false;
        // Those behind the oldest one are refused with it, and come again with it.
        if (_tries == 0 || sequence < _oldest)
            (_oldest, _tries) = (sequence, 1);
        else if (sequence == _oldest && ++_tries > MaxTries)
        {
            _tries = 0;
            return false;
        }

        _words = $"the broker refuses messages ({result.Outcome}, {result.Reason})";
        _isPauseDue = true;
        return true;
    }

    /// <summary>The broker has taken a message.</summary>
    public void End()
    {
        if (_words is null)
            return;
        (_words, _pause, _tries) = (null, FirstPause, 0);
    }

    /// <summary>How long to wait before the next message; null: not at all.</summary>
    public TimeSpan? TakePause()
    {
        if (!_isPauseDue)
            return null;
        var pause = _pause;
        _pause = pause * 2 < LongestPause ? pause * 2 : LongestPause;
        _isPauseDue = false;
        return pause;
    }
}
