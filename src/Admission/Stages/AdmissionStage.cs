namespace Gateway.Admission.Stages;

/// <summary>A stage at which a client is admitted, made to wait or refused, in the order in which it passes
/// them.</summary>
public enum AdmissionStage
{
    /// <summary>A TCP connection; nothing was read yet.</summary>
    Connection,
    Hello,

    /// <summary>OpenSecureChannel that issues the first token.</summary>
    Open,

    /// <summary>OpenSecureChannel that renews one.</summary>
    Renew,
    CreateSession,
    ActivateSession,

    /// <summary>Any other service request.</summary>
    Request,
    Publish,

    /// <summary>A TCP connection of the HTTP listener; nothing was read yet.</summary>
    HttpConnection,

    /// <summary>A request over HTTP, with its user.</summary>
    Http,
}
