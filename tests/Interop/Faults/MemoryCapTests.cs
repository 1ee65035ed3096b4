using System.Diagnostics;
using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Interop.Admission;
using Gateway.Interop.Gateways;
using Gateway.Loadtest.Machine;

namespace Gateway.Interop.Faults;

/// <summary>Requests that ask for more than a small container has: they are refused, and the process stays (R40).
/// </summary>
public sealed class MemoryCapTests
{
    /// <summary>128 MiB, as the runtime reads it: hexadecimal.</summary>
    private const string HeapBytes = "8000000";
    private const int Clients = 8;
    private const int WritesEach = 8;

    /// <summary>Just below the largest message that it takes then.</summary>
    private const int ValueBytes = 8_000_000;

    [Fact]
    public async Task Gateway_HeapOf128MiBAndMoreThanThatWritten_RefusesServesAndStopsInOrder()
    {
        TemporaryFolder folder = new();
        (int port, int httpPort) = (FreePort.Next(), FreePort.Next());
        await using AdmissionGateway gateway = AdmissionGateway.Of(folder, await GatewayProcess.StartTypedAsync(
            port, httpPort, MountedGateway.PkiOf(folder), () => Command(folder, port, httpPort)));

        byte[] value = new byte[ValueBytes];
        await Task.WhenAll(Enumerable.Range(0, Clients).Select(i => WriteAsync(gateway, i, value)));

        await gateway.AssertServesInTheEndAsync();
        Assert.Equal(0, await gateway.Process.StopAsync());
    }

    private static async Task WriteAsync(AdmissionGateway gateway, int number, byte[] value)
    {
        UaClient client = gateway.Client(AdmissionGateway.AddressOf(number));
        for (int i = 0; i < WritesEach; i++)
        {
            await using ClientSession session = await gateway.OpenInTheEndAsync(client);
            try
            {
                WriteResponse response = await session.InvokeAsync<WriteRequest, WriteResponse>(new WriteRequest
                {
                    NodesToWrite =
                    [
                        new WriteValue
                        {
                            NodeId = new NodeId("ByteString", 2),
                            AttributeId = 13,
                            Value = new DataValue(Variant.FromByteString(value)),
                        },
                    ],
                });
                Assert.Single(response.Results!);
            }
            catch (ServiceException refused)
            {
                Assert.True(refused.Status.IsBad);
            }
        }
    }

    private static ProcessStartInfo Command(TemporaryFolder folder, int port, int httpPort)
    {
        string[] command = MountedGateway.Arguments(MountedGateway.PkiOf(folder), port, httpPort);
        ProcessStartInfo start = new(command[0], command[1..]) { WorkingDirectory = folder.Path };
        start.Environment["DOTNET_GCHeapHardLimit"] = HeapBytes;
        return start;
    }
}
