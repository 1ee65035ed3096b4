using Gateway.Client;
using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Sessions;

/// <summary>How long the connections to one upstream last, one after the other. Thread: the connector's loop.</summary>
internal sealed class ConnectionStays(TimeProvider time)
{
    /// <summary>A connection that ends sooner is not followed by the next at once.</summary>
    private static readonly TimeSpan MinimumStay = TimeSpan.FromSeconds(5);

    /// <summary>Instead, where the session goes on: that costs the upstream little.</summary>
    private static readonly TimeSpan ResumePause = TimeSpan.FromSeconds(1);

    private const int MostShort = 5;

    private long _since;
    private int _short;

    public void Begin() => _since = time.GetTimestamp();

    /// <returns>Not null: this one and those before it ended too soon; their session may be why.</returns>
    public ServiceException? End()
    {
        _short = time.GetElapsedTime(_since) < MinimumStay ? _short + 1 : 0;
        if (_short < MostShort)
            return null;
        // The next session has one less: on a link that drops all the time each new one loses values.
        _short = 1;
        return new ServiceException(
            StatusCodes.BadConnectionClosed, $"{MostShort} connections in a row ended at once");
    }

    /// <summary>Before the next one.</summary>
    /// <param name="isResumption">Of the session.</param>
    public TimeSpan Pause(bool isResumption) =>
        _short == 0 ? TimeSpan.Zero : isResumption ? ResumePause : MinimumStay;
}
