using System.Net;
using Gateway.Admission.Clients;
using Gateway.Admission.Lanes;
using Gateway.Admission.Stages;

namespace Gateway.Admission.Door;

/// <summary>A connection that was accepted and of which nothing was read. Exactly one of the two members is called,
/// once, by <see cref="ConnectionDoor"/> outside its locks; both must not block.</summary>
public abstract class DoorEntry(IPAddress address) : FairEntry
{
    public IPAddress Address { get; } = address;

    /// <summary>Held from its coming until it is refused, or by the pass.</summary>
    internal ClientAccount? Account { get; set; }

    /// <summary>Serve it. The pass is its owner's from here on.</summary>
    public abstract void LetIn(ClientPass pass);

    /// <summary>Tell it, and close it.</summary>
    public abstract void Refuse(Decision decision);
}
