using Gateway.Testing;

namespace Gateway.Interop.Scripts;

/// <summary>The PKI folder of a script. node-opcua finds its key there: it need not make one.</summary>
internal static class PeerPki
{
    public static string In(TemporaryFolder folder, string name)
    {
        string pki = folder.Sub(name);
        GivenKey.PutInto(pki, "private_key.pem");
        return pki;
    }
}
