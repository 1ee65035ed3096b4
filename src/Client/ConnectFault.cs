namespace Gateway.Client;

/// <summary>Why this client itself refuses a server; <see cref="ServiceException.Fault"/>.</summary>
public enum ConnectFault
{
    /// <summary>It was not this client that refused.</summary>
    None,

    /// <summary>The server offers nothing as secure as requested.</summary>
    NoFittingEndpoint,

    /// <summary>The server's certificate does not pass the trust list.</summary>
    ServerCertificate,

    /// <summary>The secured session contradicts the discovery: an attacker may have changed its answer on the way.
    /// </summary>
    EndpointMismatch,

    /// <summary>The server names more endpoints or user tokens than <see cref="ClientOptions.MaxEndpoints"/>.</summary>
    TooManyEndpoints,

    /// <summary>The user's password or signature would go to a server that nothing has authenticated.</summary>
    CredentialsUnprotected,

    /// <summary>The server has another ApplicationUri than <see cref="ConnectSettings.ServerUri"/>.</summary>
    OtherServer,

    /// <summary>The server would have to connect to us, and nobody listens.</summary>
    NotListening,
}
