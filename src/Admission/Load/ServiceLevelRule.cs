namespace Gateway.Admission.Load;

/// <summary>
/// ServiceLevel by load: 255 idle, 200 at four fifths of the sessions or connections or where handshakes wait two
/// seconds; below that, in the degraded range, beyond, so that clients of a redundant set move. It falls quickly and
/// rises slowly, and not at all for changes of a few. Source: Part 4 §6.6.2.4.2.
/// </summary>
public static class ServiceLevelRule
{
    public const byte Idle = 255;

    private const double Healthy = 200;
    private const double Full = 100;
    private const double Knee = 0.8;
    private const double KneeWaitSeconds = 2;
    private const double FullWaitSeconds = 8;
    private const double FallPerSecond = 50;
    private const double RisePerSecond = 10;
    private const double Deadband = 4;

    /// <summary>Without history: 100 to 255.</summary>
    public static double Target(in ServiceLoad load)
    {
        var wait = load.HandshakeWaitSeconds <= KneeWaitSeconds
            ? Knee * load.HandshakeWaitSeconds / KneeWaitSeconds
            : Knee + ((1 - Knee) * (load.HandshakeWaitSeconds - KneeWaitSeconds) / (FullWaitSeconds - KneeWaitSeconds));
        var use = Math.Clamp(Math.Max(wait, Math.Max(load.Sessions, load.Connections)), 0, 1);
        return use <= Knee
            ? Idle - ((Idle - Healthy) * use / Knee)
            : Healthy - ((Healthy - Full) * (use - Knee) / (1 - Knee));
    }

    /// <param name="previous">The last level.</param>
    /// <param name="load">Now.</param>
    /// <param name="elapsed">Since the last call: about a second.</param>
    public static byte Next(byte previous, in ServiceLoad load, TimeSpan elapsed)
    {
        var change = Target(load) - previous;
        var isBack = load is { Sessions: 0, Connections: 0, HandshakeWaitSeconds: 0 };
        if (Math.Abs(change) < Deadband && !isBack)
            return previous;
        var seconds = Math.Max(0, elapsed.TotalSeconds);
        var step = Math.Clamp(change, -FallPerSecond * seconds, RisePerSecond * seconds);
        return (byte)Math.Clamp(Math.Round(previous + step), 1, Idle);
    }
}
