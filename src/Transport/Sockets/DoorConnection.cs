using System.Net;
using Gateway.Admission.Clients;
using Gateway.Admission.Door;
using Gateway.Admission.Stages;

namespace Gateway.Transport.Sockets;

/// <summary>An accepted descriptor and nothing else: no buffers, no reads, no Kestrel. Owner: its loop until it is
/// admitted, then the listener, which makes a <see cref="SocketLink"/> of it.</summary>
internal sealed class DoorConnection(DoorLoop loop, int descriptor, IPAddress address, int port)
    : DoorEntry(address), IPlaced
{
    public int Descriptor { get; set; } = descriptor;

    public int Port { get; } = port;

    /// <summary>Null until it is admitted.</summary>
    public ClientPass? Pass { get; private set; }

    /// <summary>Where the loop finds it; 0 when it does not. Under the loop's lock.</summary>
    public int Place { get; set; }

    public uint Generation { get; set; }

    /// <summary>Admission has decided. Under the loop's lock.</summary>
    public bool IsSettled { get; set; }

    /// <summary>Its error is sent; held open until the peer has sent its HEL. On the loop's thread.</summary>
    public bool IsLingering { get; set; }

    public override void LetIn(ClientPass pass)
    {
        Pass = pass;
        loop.LetIn(this);
    }

    public override void Refuse(Decision decision) => loop.Refuse(this, decision);
}
