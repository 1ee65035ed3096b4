namespace Gateway.Transport.Hosting;

/// <summary>Where a connection of UA-TCP stands, in the order of its life.</summary>
public enum ConnectionState
{
    /// <summary>HEL has not come.</summary>
    Hello,

    /// <summary>The first OPN is not finished.</summary>
    Opening,

    /// <summary>It has a SecureChannel.</summary>
    Open,

    /// <summary>Nothing is read any more; the last bytes leave.</summary>
    Ending,
}
