namespace Gateway.Admission.Load;

/// <summary>The input of <see cref="ServiceLevelRule"/>.</summary>
/// <param name="Sessions">Of as many as may be: 0 to 1.</param>
/// <param name="Connections">The same.</param>
/// <param name="HandshakeWaitSeconds">How long the waiting handshakes keep the private keys busy.</param>
public readonly record struct ServiceLoad(double Sessions, double Connections, double HandshakeWaitSeconds);
