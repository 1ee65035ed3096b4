namespace Gateway.Admission.Door;

/// <summary>A connection's place in the <see cref="HandshakeWindow"/>; its members are the window's.</summary>
public abstract class HandshakeLease
{
    private protected HandshakeLease()
    {
    }

    internal LeaseState State { get; set; }

    /// <summary>Its certificate is not a known one.</summary>
    internal bool IsStranger { get; set; }

    internal long Since { get; set; }

    internal HandshakeLease? Older { get; set; }

    internal HandshakeLease? Younger { get; set; }
}
