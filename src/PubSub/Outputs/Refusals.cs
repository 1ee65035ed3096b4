using System.Runtime.InteropServices;
using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Packets;

namespace Gateway.PubSub.Outputs;

/// <summary>
/// Tells a message that its broker will never take from a broker that takes none: over its quota, without its own
/// backend, wedged, or reached as another one with smaller limits. Only a message that is refused again and again while
/// the broker takes others is given up; all others come again, after a pause that grows while nothing is taken. Owner:
/// the output. Threads: the one that ends deliveries, and the one that begins them.
/// </summary>
internal sealed class Refusals
{
    /// <summary>Refusals of one message beside others that were taken.</summary>
    private const int MaxTries = 3;

    /// <summary>A quota is of time, not of the message.</summary>
    private const int MaxQuotaTries = 100;

    private static readonly TimeSpan FirstPause = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan LongestPause = TimeSpan.FromMinutes(1);

    /// <summary>After a message that the client had no room or no connection for.</summary>
    private static readonly TimeSpan Rest = TimeSpan.FromMilliseconds(50);

    private readonly Dictionary<long, Tries> _tries = [];
    private TimeSpan _pause = FirstPause;
    private long _taken;
    private long _takenAtRefusal = -1;
    private long _aside;
    private long _suspect;
    private volatile bool _isPauseDue;
    private volatile bool _isRestDue;
    private volatile string? _words;

    /// <summary>For people; null: the last message was taken.</summary>
    public string? Words => _words;

    /// <summary>Nothing more is sent before <see cref="TakePause"/>.</summary>
    public bool IsPauseDue => _isPauseDue || _isRestDue;

    /// <summary>False: the message itself is to blame.</summary>
    /// <param name="sequence">Of the message.</param>
    /// <param name="result">Neither success nor the loss of the connection, and not GivenUp.</param>
    public bool MayComeAgain(long sequence, in MqttPublishResult result)
    {
        if (result.Outcome is not (MqttPublishOutcome.Refused or MqttPublishOutcome.TooLargeForBroker or
            MqttPublishOutcome.QosNotSupported) ||
            result.Reason is MqttReasonCode.TopicNameInvalid or MqttReasonCode.PayloadFormatInvalid)
            return false;
        ref var tries = ref CollectionsMarshal.GetValueRefOrAddDefault(_tries, sequence, out var isKnown);
        if (!isKnown || tries.Taken != _taken)
            tries = new Tries(tries.Count + 1, _taken);
        var isQuota = result.Reason is MqttReasonCode.QuotaExceeded;
        if (tries.Count > (isQuota ? MaxQuotaTries : MaxTries))
        {
            _tries.Remove(sequence);
            return false;
        }

        _isPauseDue |= isQuota || _taken == _takenAtRefusal;
        _takenAtRefusal = _taken;
        _words = $"the broker refuses messages ({result.Outcome}, {result.Reason})";
        return true;
    }

    /// <summary>The broker ended one connection after the other while this message was under way alone. The first time
    /// it waits aside, until the broker has taken another or ended its connections for that one, too.</summary>
    /// <param name="sequence">Of the message.</param>
    /// <param name="back">One that comes again now; 0: none.</param>
    /// <returns>True: the broker has taken others since, so that it is to blame.</returns>
    public bool IsToBlame(long sequence, out long back)
    {
        back = 0;
        if (_suspect == sequence)
        {
            _suspect = 0;
            return true;
        }

        if (_aside == 0)
        {
            _aside = sequence;
            return false;
        }

        // The broker does so with each message.
        (back, _aside) = (_aside, sequence);
        _words = "the broker ends the connection at each message";
        _isPauseDue = true;
        return false;
    }

    /// <summary>The broker has taken a message.</summary>
    /// <param name="sequence">Of the message.</param>
    /// <returns>One that comes again now; 0: none.</returns>
    public long Taken(long sequence)
    {
        _taken++;
        _tries.Remove(sequence);
        if (_words is not null)
            (_words, _pause) = (null, FirstPause);
        if (_suspect == sequence)
            _suspect = 0;
        var back = _aside;
        if (back != 0)
            (_aside, _suspect) = (0, back);
        return back;
    }

    /// <summary>The client had no room or no connection.</summary>
    public void CameBack() => _isRestDue = true;

    /// <summary>How long to wait before the next message; null: not at all.</summary>
    public TimeSpan? TakePause()
    {
        if (!IsPauseDue)
            return null;
        var pause = _isPauseDue ? _pause : Rest;
        if (_isPauseDue)
            _pause = pause * 2 < LongestPause ? pause * 2 : LongestPause;
        _isPauseDue = _isRestDue = false;
        return pause;
    }

    /// <param name="Count">With others taken between them.</param>
    /// <param name="Taken">Messages that the broker had taken at the last one.</param>
    private readonly record struct Tries(int Count, long Taken);
}
