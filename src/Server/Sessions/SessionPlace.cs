namespace Gateway.Server.Sessions;

/// <summary>What one session takes of the caps, from CreateSession to its end. Owner: <see cref="SessionPlaces"/>,
/// whose lock guards what changes.</summary>
/// <param name="address">Where its first channel came from; empty where that is not known.</param>
/// <param name="certificate">Thumbprint, verified; empty without security.</param>
internal sealed class SessionPlace(string address, string certificate)
{
    public string Address => address;

    public string Certificate => certificate;

    /// <summary>Whose it is when room has to be made: the certificate's, or the address' where there is none.
    /// </summary>
    public string Holder => certificate.Length > 0 ? certificate : address;

    /// <summary>Null before the first activation.</summary>
    public string? User { get; set; }

    /// <summary>It is one of the last sixth.</summary>
    public bool IsOfReserve { get; set; }

    public bool IsTaken { get; set; }
}
