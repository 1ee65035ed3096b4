using System.Net;
using Gateway.Admission.Clients;
using Gateway.Admission.Door;
using Gateway.Admission.Stages;

namespace Gateway.Admission.Tests.Support;

/// <summary>A connection that remembers what the door did with it.</summary>
internal sealed class Visitor(string address) : DoorEntry(IPAddress.Parse(address))
{
    public ClientPass? Pass { get; private set; }

    public Decision? Refusal { get; private set; }

    public override void LetIn(ClientPass pass)
    {
        Assert.Null(Pass);
        Assert.Null(Refusal);
        Pass = pass;
    }

    public override void Refuse(Decision decision)
    {
        Assert.Null(Pass);
        Assert.Null(Refusal);
        Refusal = decision;
    }
}
