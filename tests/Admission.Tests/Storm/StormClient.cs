using System.Net;
using Gateway.Admission.Clients;
using Gateway.Admission.Door;
using Gateway.Admission.Lanes;
using Gateway.Admission.Stages;

namespace Gateway.Admission.Tests.Storm;

/// <summary>One attempt of one simulated client.</summary>
internal sealed class StormClient(StormModel model, int number, IPAddress address, double patienceMs)
    : DoorEntry(address)
{
    public int Number => number;

    public ClientPass? Pass { get; private set; }

    /// <summary>When it gives up, in ms.</summary>
    public double GivesUpAt { get; } = model.NowMs + patienceMs;

    public bool IsOver { get; set; }

    public OpenPiece? Open { get; set; }

    public override void LetIn(ClientPass pass)
    {
        Pass = pass;
        model.LetIn(this);
    }

    public override void Refuse(Decision decision) => model.Refused(this, decision);

    /// <summary>Its OPN in the lane.</summary>
    internal sealed class OpenPiece(StormClient client) : FairEntry
    {
        public StormClient Client => client;
    }
}
