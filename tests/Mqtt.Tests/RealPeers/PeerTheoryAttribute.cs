namespace Gateway.Mqtt.Tests.RealPeers;

/// <summary>A test with a third party's programs: shown as skipped where one is missing; with CI=true it runs and
/// fails.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class PeerTheoryAttribute : TheoryAttribute
{
    public PeerTheoryAttribute(MqttPeer peer = MqttPeer.Mosquitto) => Skip = PeerPrograms.ReasonOf(peer);
}
