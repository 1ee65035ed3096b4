namespace Gateway.Admission.Door;

/// <summary>A connection's place in the <see cref="HandshakeWindow"/>; its fields are the window's.</summary>
public sealed class HandshakeLease
{
    internal bool IsHeld { get; set; }

    /// <summary>The OPN waits for us: it does not lapse.</summary>
    internal bool IsWorking { get; set; }

    internal long Since { get; set; }
}
