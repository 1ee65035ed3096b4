namespace Gateway.Transport.Certificates.Inventory;

/// <summary>The result of a change of the gateway's own certificate.</summary>
public enum OwnCertificateResult
{
    Done,

    /// <summary>No certificate.</summary>
    Unreadable,

    /// <summary>It is not for the gateway's present key.</summary>
    OtherKey,

    /// <summary>It does not name the gateway's ApplicationUri.</summary>
    OtherUri,

    /// <summary>Its time is over.</summary>
    Expired,

    /// <summary>Its time has not begun: every client would refuse it.</summary>
    NotYetValid,

    /// <summary>The files are changed, and the running gateway could not take them over: its log says why.</summary>
    AtNextStart,

    /// <summary>The folders could not be changed.</summary>
    Failed,
}
