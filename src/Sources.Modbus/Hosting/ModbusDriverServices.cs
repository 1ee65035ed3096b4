using Gateway.Sources.Connections;
using Gateway.Sources.Modbus.Options;
using Microsoft.Extensions.DependencyInjection;

namespace Gateway.Sources.Modbus.Hosting;

/// <summary>Registers the driver of Modbus TCP devices.</summary>
public static class ModbusDriverServices
{
    /// <summary>Needs <see cref="ModbusOptions"/>[] and <see cref="TcpDial"/>.</summary>
    public static IServiceCollection AddModbusDriver(this IServiceCollection services) => services
        .AddSingleton(static of => new SourceDriverRegistration(
            ModbusDriver.DriverName,
            context => new ModbusDriver(
                of.GetRequiredService<ModbusOptions[]>(), context, of.GetRequiredService<TcpDial>())));
}
