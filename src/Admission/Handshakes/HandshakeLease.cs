using Gateway.Admission.Lanes;

namespace Gateway.Admission.Handshakes;

/// <summary>A connection's place in the <see cref="HandshakeWindow"/>; its members are the window's.</summary>
public abstract class HandshakeLease : IAged<HandshakeLease>
{
    private protected HandshakeLease()
    {
    }

    internal LeaseState State { get; set; }

    /// <summary>Its certificate is not a known one.</summary>
    internal bool IsStranger { get; set; }

    internal long Since { get; set; }

    HandshakeLease? IAged<HandshakeLease>.Older { get; set; }

    HandshakeLease? IAged<HandshakeLease>.Younger { get; set; }
}
