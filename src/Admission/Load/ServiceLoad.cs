namespace Gateway.Admission.Load;

/// <summary>What <see cref="ServiceLevelRule"/> judges by.</summary>
/// <param name="Sessions">Of as many as may be: 0 to 1.</param>
/// <param name="Connections">The same.</param>
/// <param name="HandshakeWaitSeconds">How long those who wait for a handshake keep the private keys busy.</param>
public readonly record struct ServiceLoad(double Sessions, double Connections, double HandshakeWaitSeconds);
