using Gateway.Admission.Lanes;

namespace Gateway.Admission.Tests.Lanes;

internal sealed class Piece(string name) : FairEntry
{
    public string Name => name;
}
