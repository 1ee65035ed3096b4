using System.Text.Json.Nodes;

namespace Gateway.Interop.Scripts;

/// <summary>The arguments that every client script takes: where to, with which certificate; and more by name.</summary>
internal static class PeerArguments
{
    public const string SimulatorUri = "urn:gateway:simulator";

    public static JsonObject Create(
        TemporaryFolder folder, TestCertificate certificate, string endpointUrl, object more)
    {
        JsonObject all = new()
        {
            ["endpointUrl"] = endpointUrl,
            ["pki"] = PeerPki.In(folder, "client-pki"),
            ["applicationUri"] = "urn:interop:client",
            ["certificateFile"] = certificate.CertificateFile,
            ["privateKeyFile"] = certificate.PrivateKeyFile,
            ["namespaceUri"] = SimulatorUri,
        };
        JsonObject added = System.Text.Json.JsonSerializer.SerializeToNode(more)!.AsObject();
        foreach ((string name, JsonNode? value) in added.ToList())
            all[name] = value?.DeepClone();
        return all;
    }
}
