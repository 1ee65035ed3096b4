namespace Gateway.Transport.Sockets;

/// <summary>A connection that can stand in a <see cref="PlaceTable{T}"/>, which owns both.</summary>
internal interface IPlaced
{
    /// <summary>0: in none.</summary>
    int Place { get; set; }

    uint Generation { get; set; }
}
