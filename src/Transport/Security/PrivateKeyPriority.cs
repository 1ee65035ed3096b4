namespace Gateway.Transport.Security;

/// <summary>Who goes first on the private-key lane; within one priority, who came first.</summary>
public enum PrivateKeyPriority
{
    /// <summary>A channel or session that is alive: a renewal, an ActivateSession of a live session.</summary>
    Live,

    /// <summary>A certificate that was seen active before.</summary>
    Known,

    Stranger,
}
