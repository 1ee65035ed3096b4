using System.Net;
using Gateway.Admission.Clients;
using Gateway.Admission.Door;
using Gateway.Admission.Stages;

namespace Gateway.Server.Tests.Support;

/// <summary>Gets a connection's pass.</summary>
internal sealed class TestDoorEntry(IPAddress address) : DoorEntry(address)
{
    public ClientPass? Pass { get; private set; }

    public override void LetIn(ClientPass pass) => Pass = pass;

    public override void Refuse(Decision decision) =>
        throw new InvalidOperationException("Refused at the door: " + decision.Reason);
}
