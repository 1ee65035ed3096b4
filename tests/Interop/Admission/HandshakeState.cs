namespace Gateway.Interop.Admission;

/// <summary>How far a client came before it was gone.</summary>
public enum HandshakeState
{
    Connected,
    HelloCut,
    HelloSent,
    Acknowledged,
    OpenSent,
    Opened,
    CreateSent,
    Created,
    ActivateSent,
    Activated,
    Subscribed,
}
